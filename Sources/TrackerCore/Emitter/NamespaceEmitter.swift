import Synchronization

/// The emitter of a namespace: what its tracker and the pipeline share, and the state of its delivery.
///
/// It outlives trackers, so that a namespace that was removed and configured again still has one delivery at a time. It ends
/// when the namespace has had neither a tracker nor events for ``idleTime``.
package final class NamespaceEmitter: Sendable {
    /// A tracker, as its emitter sees it.
    protocol Owner: AnyObject, Sendable {
        /// The session as it is to outlive the process; nil without one.
        var sessionRecord: SessionRecord? { get }

        /// Takes a loss of the namespace, each cause at most once a minute.
        func report(_ reason: DropReason, _ message: String)
    }

    /// How long a namespace has had no tracker and no events when its emitter ends.
    static let idleTime = Duration.seconds(60)

    struct State: Sendable {
        /// The uptime since when there has been no tracker and no events; nil if there is any.
        var idleSince: Duration?
        /// The tracker that uses the emitter; calls of an earlier one of its namespace are ignored.
        var ownerID: ObjectIdentifier?
        /// Returns the same tracker, as long as it is in use. A weak property would make copies of the state slow.
        var owner: (@Sendable () -> (any Owner)?)?
        /// The settings of the last tracker, once it is removed.
        var lastSettings: EffectiveSettings?
        var delivery: DeliveryState
        var timer: Task<Void, Never>?
        /// The requests in progress, by their ids. They are to be cancelled outside the lock, because that may run a
        /// transport's code.
        var requests: [UInt64: Task<Void, Never>] = [:]
        /// The callers of flushes, by the flushes' ids.
        var flushes: [UInt64: CheckedContinuation<Void, Never>] = [:]
        /// The events that were sent or dropped, or wait, although they were not tracked: those of earlier runs, and those
        /// that were refused.
        var untracked = 0
        var sampler = DeliverySampler()
        /// The most bytes of unsent events for which memory and disk have room; `Int.max` while the disk takes events.
        var availableBytes = Int.max
        /// How long requests took, by whether they had a status of 200 to 299.
        var durations: [Bool: DurationHistogram] = [:]
        /// Limits the lines on lost events, by their reason.
        var losses = LogThrottle()
        /// Limits the lines on payloads of dropped events that were not passed on or not kept.
        var lostPayloads = LogThrottle()
        /// The parameters of which a value was cut or left out.
        var truncated: Set<AtomicField> = []
        var drops = Drops()
    }

    package let namespace: String
    /// Its index among the pipeline's emitters, by which the queue and the storage know the namespace.
    let index: Int
    let state: Locked<State>
    // Counted by each event, so it takes no lock.
    let tracked = Atomic<Int>(0)
    /// Counts schemas of events that are no Iglu URIs.
    let malformedSchemas = MissCounter()

    package init(namespace: String, index: Int) {
        self.namespace = namespace
        self.index = index
        state = Locked(State(delivery: DeliveryState(namespace: namespace)))
    }

    /// Whether there has been no tracker and no events for a time, as far as this was asked.
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

    /// The settings of the last of the namespace's trackers; nil if there was none in this process.
    var lastSettings: EffectiveSettings? { state.withLock { $0.delivery.settings ?? $0.lastSettings } }

    /// Whether sending was paused by code.
    var isPaused: Bool { state.withLock { $0.delivery.isPaused } }

    /// Gives the emitter to a tracker, its owner.
    func attach(_ owner: some Owner, settings: EffectiveSettings) {
        state.withLock { state in
            (state.ownerID, state.owner) = (ObjectIdentifier(owner), { [weak owner] in owner })
            (state.delivery.settings, state.delivery.isPaused) = (settings, false)
        }
    }

    /// Takes the emitter from a tracker, if it still has it.
    func detach(_ owner: some Owner) {
        // The deinit of objects that the closures hold is user code too.
        state.discard { state -> Drops? in
            guard state.ownerID == ObjectIdentifier(owner) else { return nil }
            (state.ownerID, state.owner) = (nil, nil)
            state.lastSettings = state.delivery.settings
            (state.delivery.settings, state.delivery.isPaused) = (nil, false)
            defer { state.drops.actions = Handlers() }
            return state.drops
        }
    }

    /// Changes the delivery, if the emitter is still the tracker's.
    func change(_ owner: some Owner, _ change: (inout DeliveryState) -> Void) {
        state.withLock { if $0.ownerID == ObjectIdentifier(owner) { change(&$0.delivery) } }
    }

    /// Reads the state of the delivery, or passes an event to it.
    package func withDelivery<Result>(_ body: (inout DeliveryState) -> Result) -> Result {
        state.withLock { body(&$0.delivery) }
    }
}
