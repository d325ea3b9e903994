/// A namespace's way out: what its tracker and the pipeline share.
///
/// It outlives trackers, so that a namespace that was removed and configured again still has one emission at a time.
final class Outbox: Sendable {
    private struct State: Sendable {
        var settings: EffectiveSettings?
        var isPaused = false
        var counters = TrackerCounters()
        /// Of the dropped events, those that were never stored.
        var refused = 0
        /// Events of earlier runs.
        var recovered = 0
    }

    let namespace: String
    /// Its number among the pipeline's outboxes.
    let number: Int
    private let state = Locked(State())

    init(namespace: String, number: Int) {
        self.namespace = namespace
        self.number = number
    }

    /// What the tracker sends by; nil without a tracker.
    var settings: EffectiveSettings? {
        get { state.withLock { $0.settings } }
        set { state.withLock { $0.settings = newValue } }
    }

    /// Whether sending stands still because somebody said so.
    var isPaused: Bool {
        get { state.withLock { $0.isPaused } }
        set { state.withLock { $0.isPaused = newValue } }
    }

    /// Whether events are sent: there is a tracker, and it is not told to wait.
    var isSending: Bool {
        state.withLock { $0.settings != nil && !$0.isPaused }
    }

    var counters: TrackerCounters {
        state.withLock { state in
            var counters = state.counters
            let gone = counters.sent + counters.dropped - state.refused
            counters.stored = counters.tracked + state.recovered - gone
            return counters
        }
    }

    func countTracked() {
        state.withLock { $0.counters.tracked += 1 }
    }

    func countRecovered(_ count: Int) {
        state.withLock { $0.recovered += count }
    }

    /// Counts events that were never stored.
    func countRefused(_ reason: DropReason) {
        state.withLock { state in
            state.refused += 1
            state.counters.droppedByReason[reason, default: 0] += 1
        }
    }

    func countRequest() {
        state.withLock { $0.counters.requests += 1 }
    }

    func countSent(_ count: Int) {
        state.withLock { $0.counters.sent += count }
    }

    func countRetried(_ count: Int) {
        state.withLock { $0.counters.retried += count }
    }

    /// Counts events that were stored and will not be sent.
    func countDropped(_ count: Int, _ reason: DropReason) {
        guard count > 0 else { return }
        state.withLock { $0.counters.droppedByReason[reason, default: 0] += count }
    }
}
