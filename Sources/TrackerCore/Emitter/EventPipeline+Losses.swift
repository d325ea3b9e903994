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

    /// Why events are kept in memory although there is a state directory; nil if there are none.
    package nonisolated var storeFailure: StoreCondition.Failure? { failure.withLock { $0 } }

    private static func events(_ count: Int, _ more: String = "") -> String {
        count == 1 ? "1 \(more)event was" : "\(count) \(more)events were"
    }
}
