/// Passes dropped events to the closures of their namespace and to a client that watches, and logs those that were not.
final class DropReporter: Sendable {
    private let tap: EventTap
    private let log: Log
    private let time: any TimeSource

    init(_ tap: EventTap, _ log: Log, _ time: any TimeSource) {
        (self.tap, self.log, self.time) = (tap, log, time)
    }

    /// Whether anything wants a namespace's dropped events now.
    func isOpen(for emitter: NamespaceEmitter) -> Bool { emitter.dropsIfAny?.isOpen == true || tap.isOpen }

    /// Takes dropped events of a namespace.
    func receive(_ events: [StoredEvent], _ reason: DropReason, of emitter: NamespaceEmitter) {
        tap.settle(events, dropped: reason)
        let missed = emitter.dropsIfAny?.add(events, reason) ?? 0
        guard missed > 0, let total = emitter.countMissed(missed, \.unreportedDrops, at: time.uptime) else { return }
        log.scoped(to: emitter.namespace)
            .error("\(total) dropped events were not passed to onDrop, because its closure is too slow")
    }

    /// Counts events of a namespace that could not be kept as dead letters, and logs the reason.
    func notKept(_ count: Int, _ reason: String, of emitter: NamespaceEmitter) {
        guard let total = emitter.countMissed(count, \.deadLetterFailures, at: time.uptime) else { return }
        log.scoped(to: emitter.namespace)
            .error("\(total) dropped events could not be kept as dead letters: \(reason)")
    }
}
