extension EventPipeline {
    /// Logs lost events of a namespace: the first loss of each cause at once, then one line a minute. The tracker's own
    /// level, which is off by default, does not apply.
    /// - Parameters:
    ///   - emitter: The namespace's emitter.
    ///   - reason: The reason of the loss.
    ///   - count: The number of events.
    ///   - detail: The circumstances.
    ///   - response: The beginning of the collector's response, only for the log, because it may quote events.
    nonisolated func reportLoss(
        _ emitter: NamespaceEmitter, _ reason: DropReason, _ count: Int, _ detail: String, response: String = ""
    ) {
        let uptime = time.uptime
        let total = emitter.state.withLock { $0.losses.admit(reason.rawValue, count: count, at: uptime) }
        guard let total else { return reportLossesSoon() }
        let message = "\(Self.events(total)) dropped (\(reason.rawValue)): \(detail)"
        log.scoped(to: emitter.namespace).log(reason.logLevel, message + response)
        emitter.owner?.report(reason, message)
    }

    /// Logs losses without a line after their minute, so that the last ones of a series are not left out.
    private nonisolated func reportLossesSoon() {
        guard !isReportingLosses.exchange(true) else { return }
        Task.unbound { [weak self, time] in
            while await time.sleepUnlessCancelled(for: LogThrottle.interval), await self?.reportDueLosses() == true {}
        }
    }

    /// Logs the losses of the last minute that are not logged yet.
    /// - Parameter isEnd: Whether losses are logged whose minute is not over; false by default.
    /// - Returns: Whether to do so again in a minute.
    @discardableResult
    func reportDueLosses(isEnd: Bool = false) -> Bool {
        isReportingLosses.withLock { $0 = false }
        var areLeft = false
        let uptime = time.uptime
        for emitter in emitters.withLock({ $0.all }) {
            for (cause, count) in emitter.state.withLock({ $0.losses.due(at: uptime, isEnd: isEnd) }) {
                let level = DropReason(rawValue: cause)?.logLevel ?? .error
                let message = "in the last minute, \(Self.events(count, "more ")) dropped (\(cause))"
                log.scoped(to: emitter.namespace).log(level, message)
            }
            areLeft = areLeft || emitter.state.withLock { $0.losses.hasWithheld }
        }
        return areLeft && !isReportingLosses.exchange(true)
    }

    private static func events(_ count: Int, _ more: String = "") -> String {
        count == 1 ? "1 \(more)event was" : "\(count) \(more)events were"
    }

    /// Returns the recipient of a namespace's dropped events, which passes them to closures and to the observer.
    nonisolated func recipient(_ emitter: NamespaceEmitter) -> DropRecipient {
        // Unowned, because the pipeline owns the store, which keeps the recipient.
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
