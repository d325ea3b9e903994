import Synchronization

/// A namespace's way out: what its tracker and the pipeline share.
///
/// It outlives trackers, so that a namespace that was removed and configured again still has one emission at a time.
final class Outbox: Sendable {
    /// Takes a namespace's losses, each cause at most once a minute.
    typealias Reporter = @Sendable (DropReason, String) -> Void

    private struct State: Sendable {
        /// The tracker that uses the outbox; an older one of its namespace has no say any more.
        var owner: ObjectIdentifier?
        var settings: EffectiveSettings?
        var lastSettings: EffectiveSettings?
        var session: (@Sendable () -> SessionRecord?)?
        /// The session as the store has it.
        var savedSession: SessionRecord?
        var reporter: Reporter?
        var onRequest: (@Sendable (CollectorRequestReport) -> Void)?
        var isPaused = false
        var counters = TrackerCounters()
        var throttle = LogThrottle()
        /// Of the dropped events, those that were never stored.
        var refused = 0
        /// Events of earlier runs.
        var recovered = 0
    }

    let namespace: String
    /// Its number among the pipeline's outboxes.
    let number: Int
    private let state = Locked(State())
    // In a forked child the lock may be held by a thread that does not exist there.
    private let forkedDrops = Atomic<Int>(0)
    // Counted by each event, so it takes no lock.
    private let tracked = Atomic<Int>(0)
    private let forkGuard: ForkGuard

    init(namespace: String, number: Int, savedSession: SessionRecord?, forkGuard: ForkGuard) {
        self.namespace = namespace
        self.number = number
        self.forkGuard = forkGuard
        state.withLock { $0.savedSession = savedSession }
    }

    /// The session as the last of the namespace's trackers, or an earlier process, left it.
    var savedSession: SessionRecord? { state.withLock { $0.savedSession } }

    /// The session where it has changed since it was last asked for.
    func takeSession() -> SessionRecord? {
        // The tracker's lock is taken in this, so it is called outside the outbox's.
        guard let record = state.withLock({ $0.session })?() else { return nil }
        return state.withLock { state in
            if state.savedSession == record { return nil }
            state.savedSession = record
            return record
        }
    }

    /// What the tracker sends by; nil without a tracker.
    var settings: EffectiveSettings? { state.withLock { $0.settings } }

    /// What the last of the namespace's trackers sent by; nil where there was none in this process.
    var lastSettings: EffectiveSettings? { state.withLock { $0.settings ?? $0.lastSettings } }

    /// Takes the namespace's errors; nil without a tracker.
    var reporter: Reporter? { state.withLock { $0.reporter } }

    /// Whether sending stands still because somebody said so.
    var isPaused: Bool {
        forkGuard.isOwnProcess ? state.withLock { $0.isPaused } : state.withLockIfFree { $0.isPaused } ?? false
    }

    /// Gives the outbox to a tracker.
    func attach(
        _ owner: Tracker, settings: EffectiveSettings, session: @escaping @Sendable () -> SessionRecord?,
        reporter: @escaping Reporter
    ) {
        state.withLock { state in
            (state.owner, state.session) = (ObjectIdentifier(owner), session)
            (state.settings, state.reporter, state.isPaused) = (settings, reporter, false)
        }
    }

    /// Takes the outbox from a tracker, where it still has it.
    func detach(_ owner: Tracker) {
        // The end of what the user's closure holds is user code too.
        state.discard { state -> (@Sendable (CollectorRequestReport) -> Void)? in
            guard state.owner == ObjectIdentifier(owner) else { return nil }
            state.lastSettings = state.settings
            (state.owner, state.settings, state.session, state.reporter) = (nil, nil, nil, nil)
            state.isPaused = false
            defer { state.onRequest = nil }
            return state.onRequest
        }
    }

    /// Changes what a tracker sends by, where the outbox is still its.
    func update(_ owner: Tracker, settings: EffectiveSettings) {
        state.withLock { if $0.owner == ObjectIdentifier(owner) { $0.settings = settings } }
    }

    /// Whom to tell of each request.
    var onRequest: (@Sendable (CollectorRequestReport) -> Void)? { state.withLock { $0.onRequest } }

    /// Sets whom to tell of each request, where the outbox is still the tracker's.
    func onRequest(_ owner: Tracker, _ action: (@Sendable (CollectorRequestReport) -> Void)?) {
        state.discard { state -> (@Sendable (CollectorRequestReport) -> Void)? in
            guard state.owner == ObjectIdentifier(owner) else { return nil }
            defer { state.onRequest = action }
            return state.onRequest
        }
    }

    /// Lets sending stand still or go on, where the outbox is still the tracker's.
    func setPaused(_ owner: Tracker, _ isPaused: Bool) {
        state.withLock { if $0.owner == ObjectIdentifier(owner) { $0.isPaused = isPaused } }
    }

    /// Whether events are sent: there is a tracker, and it is not told to wait.
    var isSending: Bool {
        state.withLock { $0.settings != nil && !$0.isPaused }
    }

    var counters: TrackerCounters {
        guard forkGuard.isOwnProcess else {
            var counters = TrackerCounters()
            counters.droppedByReason[.forked] = forkedDrops.load(ordering: .relaxed)
            return counters
        }
        return state.withLock { state in
            var counters = state.counters
            counters.tracked = tracked.load(ordering: .relaxed)
            let gone = counters.sent + counters.dropped - state.refused
            // An event may be sent before the thread that tracked it comes to count it.
            counters.stored = max(0, counters.tracked + state.recovered - gone)
            return counters
        }
    }

    func countTracked() {
        tracked.add(1, ordering: .relaxed)
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

    func countForked() {
        forkedDrops.add(1, ordering: .relaxed)
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

    /// Notes a loss for the log.
    /// - Returns: How many events to log now; nil if there is to be no line now.
    func admitLine(_ reason: DropReason, count: Int, at uptime: Duration) -> Int? {
        state.withLock { $0.throttle.admit(reason.rawValue, count: count, at: uptime) }
    }

    /// The losses that had no line for a minute.
    func dueLines(at uptime: Duration) -> [(cause: String, count: Int)] {
        state.withLock { $0.throttle.due(at: uptime) }
    }
}
