import Synchronization

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
        guard let total = emitter.admitLine(reason, count: count, at: time.uptime) else { return }
        let message = "\(Self.events(total)) dropped (\(reason.rawValue)): \(detail)"
        log.scoped(to: emitter.namespace).log(reason.logLevel, message + response)
        emitter.reporter?(reason, message)
    }

    /// Logs the losses of the last minute that had no line yet.
    func reportDueLosses() {
        for emitter in emitters.withLock({ $0.all }) {
            for (cause, count) in emitter.dueLines(at: time.uptime) {
                let level = DropReason(rawValue: cause)?.logLevel ?? .error
                let message = "in the last minute, \(Self.events(count, "more ")) dropped (\(cause))"
                log.scoped(to: emitter.namespace).log(level, message)
            }
        }
    }

    /// Logs that events begin to wait in memory only.
    func reportUnstaged() {
        unstagedInMemory.store(storage.unstagedInMemory, ordering: .relaxed)
        let count = unstagedEvents
        guard count > seenUnstaged else { return }
        defer { seenUnstaged = count }
        guard unstagedOutage == nil else { return }
        unstagedOutage = (before: seenUnstaged, seen: count)
        log.warning("events wait in memory only, where a kill would lose them: \(unstagedReason)")
    }

    /// Counts anew the events that wait in memory only, if there were any: those that are stored or sent do not.
    func noteUnstaged() {
        guard unstagedInMemory.load(ordering: .relaxed) > 0 else { return }
        unstagedInMemory.store(storage.unstagedInMemory, ordering: .relaxed)
    }

    /// Logs how many events waited in memory only, once none did for 30 s.
    func endUnstagedOutage() {
        reportUnstaged()
        guard let outage = unstagedOutage else { return }
        guard outage.seen == seenUnstaged, unstagedWaiting == 0 else {
            unstagedOutage = (outage.before, seenUnstaged)
            return
        }
        unstagedOutage = nil
        let count = seenUnstaged - outage.before
        let events = count == 1 ? "1 event" : "\(count) events"
        log.warning("\(events) waited in memory only, where a kill would have lost them")
    }

    /// The number of events that are in memory only now.
    private nonisolated var unstagedWaiting: Int {
        queue.unstagedWaitingCount + unstagedInMemory.load(ordering: .relaxed)
    }

    private nonisolated var unstagedReason: String {
        if let failure = queue.growthFailure { return "the staging file cannot grow: \(failure)" }
        return "they came faster than the staging file grows, or are larger than a segment of 512 KiB"
    }

    /// Why events are kept in memory although there is a state directory; nil while the store works.
    package nonisolated var storeFailure: StoreCondition.Failure? {
        let failure = failure.withLock { $0 }
        let count = unstagedWaiting
        guard count > 0 else { return failure }
        let events = count == 1 ? "1 event waits" : "\(count) events wait"
        let text = "\(events) in memory only, where a kill would lose them"
        guard let failure else { return StoreCondition.Failure(text: "\(text): \(unstagedReason)", time: now) }
        return StoreCondition.Failure(text: "\(failure.text); \(text)", time: failure.time)
    }

    private static func events(_ count: Int, _ more: String = "") -> String {
        count == 1 ? "1 \(more)event was" : "\(count) \(more)events were"
    }
}
