import Synchronization

/// The emitter of a namespace: the state that its tracker and the pipeline share, and the state of its delivery.
///
/// It outlives trackers, so that a namespace that was removed and configured again has only one delivery at a time. It
/// ends when the namespace has had neither a tracker nor events for ``idleTime``.
package final class NamespaceEmitter: Sendable {
    /// The tracker of an emitter.
    protocol Owner: AnyObject, Sendable {
        /// The session to keep for the next process; nil without a session.
        var sessionRecord: SessionRecord? { get }

        /// Reports a loss of the namespace, each cause at most once a minute.
        func report(_ reason: DropReason, _ message: String)
    }

    /// The time without a tracker and events after which an emitter ends.
    static let idleTime = Duration.seconds(60)

    struct State: Sendable {
        /// The uptime since which there has been no tracker and no event; nil if there is one.
        var idleSince: Duration?
        /// The tracker that uses the emitter; calls of earlier trackers of its namespace are ignored.
        var ownerID: ObjectIdentifier?
        /// Returns the tracker while it is in use. A weak property would make copies of the state slow.
        var owner: (@Sendable () -> (any Owner)?)?
        /// The settings of the last tracker after its removal.
        var lastSettings: EffectiveSettings?
        var delivery: DeliveryState
        var timer: Task<Void, Never>?
        /// The requests in progress by id. Cancel them outside the lock, because that may run a transport's code.
        var requests: [UInt64: Task<Void, Never>] = [:]
        /// The callers of flushes, by the id of the flush.
        var flushes: [UInt64: CheckedContinuation<Void, Never>] = [:]
        /// The number of events that were sent or dropped, or wait, but were not tracked here: events of earlier runs,
        /// and refused events.
        var untracked = 0
        var sampler = DeliverySampler()
        /// The maximum size of unsent events in memory and on disk, in bytes; `Int.max` while the disk takes events.
        var availableBytes = Int.max
        /// The durations of requests, by whether they had a status of 200 to 299.
        var durations: [Bool: DurationHistogram] = [:]
        /// Limits the log lines about lost events, by reason.
        var losses = LogThrottle()
        /// Limits the log lines about payloads of dropped events that were not passed on or not kept.
        var lostPayloads = LogThrottle()
        /// The parameters with a truncated or omitted value.
        var truncated: Set<AtomicField> = []
        var drops = Drops()
    }

    package let namespace: String
    /// The index among the pipeline's emitters, which identifies the namespace in the queue and the storage.
    let index: Int
    let state: Locked<State>
    // Atomic without a lock, because every event increments it.
    let tracked = Atomic<Int>(0)
    /// Counts schemas of events that are not Iglu URIs.
    let malformedSchemas = MissCounter()

    package init(namespace: String, index: Int) {
        self.namespace = namespace
        self.index = index
        state = Locked(State(delivery: DeliveryState(namespace: namespace)))
    }

    /// Returns whether there has been no tracker and no event for ``idleTime``, as far as earlier calls observed it.
    func isIdle(at uptime: Duration) -> Bool {
        state.withLock { state in
            guard state.ownerID == nil, counters(of: state).stored == 0 else {
                state.idleSince = nil
                return false
            }
            let since = state.idleSince ?? uptime
            state.idleSince = since
            return uptime - since >= Self.idleTime
        }
    }

    /// The tracker that uses the emitter.
    var owner: (any Owner)? { state.withLock { $0.owner }?() }

    /// The tracker's settings; nil without a tracker.
    var settings: EffectiveSettings? { state.withLock { $0.delivery.settings } }

    /// The settings of the namespace's last tracker; nil if there was none in this process.
    var lastSettings: EffectiveSettings? { state.withLock { $0.delivery.settings ?? $0.lastSettings } }

    /// Whether sending was paused by code.
    var isPaused: Bool { state.withLock { $0.delivery.isPaused } }

    /// Attaches a tracker as the owner.
    func attach(_ owner: some Owner, settings: EffectiveSettings) {
        state.withLock { state in
            (state.ownerID, state.owner) = (ObjectIdentifier(owner), { [weak owner] in owner })
            (state.delivery.settings, state.delivery.isPaused) = (settings, false)
        }
    }

    /// Detaches a tracker if it is the owner.
    func detach(_ owner: some Owner) {
        // Released outside the lock, because the deinit of objects that closures hold is user code.
        state.discard { state -> Drops? in
            guard state.ownerID == ObjectIdentifier(owner) else { return nil }
            (state.ownerID, state.owner) = (nil, nil)
            state.lastSettings = state.delivery.settings
            (state.delivery.settings, state.delivery.isPaused) = (nil, false)
            defer { state.drops.actions = Handlers() }
            return state.drops
        }
    }

    /// Changes the delivery if the tracker is still the owner.
    func change(_ owner: some Owner, _ change: (inout DeliveryState) -> Void) {
        state.withLock { if $0.ownerID == ObjectIdentifier(owner) { change(&$0.delivery) } }
    }

    /// Reads the state of the delivery, or passes an event to it.
    package func withDelivery<Result>(_ body: (inout DeliveryState) -> Result) -> Result {
        state.withLock { body(&$0.delivery) }
    }
}
