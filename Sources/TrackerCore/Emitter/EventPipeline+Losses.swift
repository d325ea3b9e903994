extension EventPipeline {
    /// Logs that events of a namespace are lost: the first of each cause at once, then one line a minute. The line does not
    /// depend on the tracker's own level, which is off by default.
    /// - Parameters:
    ///   - emitter: The namespace.
    ///   - reason: Why.
    ///   - count: How many events.
    ///   - detail: What happened.
    ///   - response: The beginning of the collector's response, for the log alone: it may quote events.
    nonisolated func reportLoss(
        _ emitter: NamespaceEmitter, _ reason: DropReason, _ count: Int, _ detail: String, response: String = ""
    ) {
        let uptime = time.uptime
        let total = emitter.state.withLock { $0.losses.admit(reason.rawValue, count: count, at: uptime) }
        guard let total else { return }
        let message = "\(Self.events(total)) dropped (\(reason.rawValue)): \(detail)"
        log.scoped(to: emitter.namespace).log(reason.logLevel, message + response)
        emitter.owner?.report(reason, message)
    }

    /// Logs the losses of the last minute that had no line yet.
    func reportDueLosses() {
        let uptime = time.uptime
        for emitter in emitters.withLock({ $0.all }) {
            for (cause, count) in emitter.state.withLock({ $0.losses.due(at: uptime) }) {
                let level = DropReason(rawValue: cause)?.logLevel ?? .error
                let message = "in the last minute, \(Self.events(count, "more ")) dropped (\(cause))"
                log.scoped(to: emitter.namespace).log(level, message)
            }
        }
    }

    private static func events(_ count: Int, _ more: String = "") -> String {
        count == 1 ? "1 \(more)event was" : "\(count) \(more)events were"
    }

    /// Gets the payloads of a namespace's dropped events, for its closures and for a client that watches.
    nonisolated func recipient(_ emitter: NamespaceEmitter) -> DropRecipient {
        // Unowned, because the pipeline's store keeps it.
        DropRecipient(
            isOpen: { [unowned self] in emitter.hasDropActions || tap.isOpen },
            receive: { [unowned self] events, reason in
                tap.settle(events, dropped: reason)
                let message = "were not passed to onDrop, because its closure is too slow"
                countLostPayloads(emitter.passOn(events, reason), \.unreportedDrops, of: emitter, message)
            },
            notKept: { [unowned self] count, reason in
                countLostPayloads(
                    count, \.deadLetterFailures, of: emitter, "could not be kept as dead letters: \(reason)")
            })
    }

    private nonisolated func countLostPayloads(
        _ count: Int, _ counter: WritableKeyPath<TrackerCounters, Int>, of emitter: NamespaceEmitter, _ message: String
    ) {
        guard count > 0 else { return }
        let uptime = time.uptime
        let total = emitter.state.withLock { state in
            state.delivery.status.counters[keyPath: counter] += count
            return state.lostPayloads.admit("\(counter)", count: count, at: uptime)
        }
        if let total { log.scoped(to: emitter.namespace).error("\(total) dropped events \(message)") }
    }
}
