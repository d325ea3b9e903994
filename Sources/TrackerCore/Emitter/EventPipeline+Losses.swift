extension EventPipeline {
    /// Logs that events of a namespace are lost: the first of each cause at once, then one line a minute. The line does not
    /// depend on the tracker's own level, which is off by default.
    nonisolated func reportLoss(_ outbox: Outbox, _ reason: DropReason, _ count: Int, _ detail: String) {
        guard let total = outbox.admitLine(reason, count: count, at: time.uptime) else { return }
        let message = "\(Self.events(total)) dropped (\(reason.rawValue)): \(detail)"
        log.scoped(to: outbox.namespace).log(reason.logLevel, message)
        outbox.reporter?(reason, message)
    }

    /// Logs the losses of the last minute that had no line yet.
    func reportDueLosses() {
        for outbox in outboxes.withLock({ $0.all }) {
            for (cause, count) in outbox.dueLines(at: time.uptime) {
                let level = DropReason(rawValue: cause)?.logLevel ?? .error
                let message = "in the last minute, \(Self.events(count, "more ")) dropped (\(cause))"
                log.scoped(to: outbox.namespace).log(level, message)
            }
        }
    }

    /// Logs that a namespace's delivery fails: at once, and every five minutes while it does.
    func logFailure(_ number: Int, _ answer: String) {
        guard let duration = lanes[number].trouble.failed(at: time.uptime) else { return }
        let since = duration > .zero ? " for \(duration.inSeconds)" : ""
        log.scoped(to: lanes[number].outbox.namespace).warning(
            "delivery has failed\(since), \(queued(number)) events wait and are retried: \(answer)")
    }

    /// Logs that a namespace's delivery works again, if it failed.
    func logSuccess(_ number: Int) {
        guard let duration = lanes[number].trouble.succeeded(at: time.uptime) else { return }
        log.scoped(to: lanes[number].outbox.namespace).info("delivery works again after \(duration.inSeconds)")
    }

    /// Logs, once a minute, that an event is too large for the collector by itself.
    func logTooLarge(_ number: Int, _ answer: String) {
        guard lanes[number].lines.admit("too large", count: 1, at: time.uptime) != nil else { return }
        log.scoped(to: lanes[number].outbox.namespace).warning(
            "an event is too large for the collector and is retried until it expires: \(answer)")
    }

    private static func events(_ count: Int, _ more: String = "") -> String {
        count == 1 ? "1 \(more)event was" : "\(count) \(more)events were"
    }
}

extension Duration {
    /// The duration in seconds, as a sentence has it: `4 s`.
    fileprivate var inSeconds: String {
        let seconds = self / .seconds(1)
        return seconds < 10 ? "\((seconds * 10).rounded() / 10) s" : "\(Int(seconds.rounded())) s"
    }
}
