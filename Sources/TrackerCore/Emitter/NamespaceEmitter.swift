import Synchronization

/// The emitter of a namespace: what its tracker and the pipeline share, and the state of its delivery.
///
/// It outlives trackers, so that a namespace that was removed and configured again still has one delivery at a time. It ends
/// when the namespace has had neither a tracker nor events for ``idleTime``.
package final class NamespaceEmitter: Sendable {
    /// Takes a namespace's losses, each cause at most once a minute.
    typealias Reporter = @Sendable (DropReason, String) -> Void

    /// The work that the pipeline does for the delivery.
    struct Work: Sendable {
        var timer: Task<Void, Never>?
        /// The requests in progress, by their ids.
        var requests: [UInt64: Task<Void, Never>] = [:]
        /// The callers of flushes, by the flushes' ids.
        var flushes: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    /// The most codes by which requests are counted.
    static let maxRequestCodes = 32

    /// How long a namespace has had no tracker and no events when its emitter ends.
    static let idleTime = Duration.seconds(60)

    struct State: Sendable {
        /// The uptime since when there has been no tracker and no events; nil if there is any.
        var idleSince: Duration?
        /// The tracker that uses the emitter; calls of an earlier one of its namespace are ignored.
        var owner: ObjectIdentifier?
        /// The settings of the last tracker, once it is removed.
        var lastSettings: EffectiveSettings?
        var session: (@Sendable () -> SessionRecord?)?
        var reporter: Reporter?
        var delivery: DeliveryState
        var work = Work()
        var counters = TrackerCounters()
        var sampler = DeliverySampler()
        /// The time when the oldest unsent event was tracked, in milliseconds since 1970; nil without unsent events.
        var oldestEventTime: Int64?
        /// The unsent events, as the storage has them.
        var unsent = EventAmount.zero
        /// The most bytes of unsent events for which memory and disk have room; `Int.max` while the disk takes events.
        var availableBytes = Int.max
        /// Of requests with a status of 200 to 299, and of all others.
        var durations = DurationHistogram.requests
        var failureDurations = DurationHistogram.requests
        var throttle = LogThrottle()
        /// The parameters of which a value was cut or left out.
        var truncated: Set<AtomicField> = []
        /// Limits the lines on payloads of dropped events that were not passed on or not kept.
        var payloadLines = LogThrottle()
        var drops = Drops()
        /// Of the dropped events, those that were never stored.
        var refused = 0
        /// Events of earlier runs.
        var recovered = 0
    }

    package let namespace: String
    /// Its index among the pipeline's emitters, by which the queue and the storage know the namespace.
    let index: Int
    let state: Locked<State>
    // Counted by each event, so it takes no lock.
    let tracked = Atomic<Int>(0)
    // Made when they are first used: most namespaces of many need neither.
    private let schemaCounter = AtomicLazyReference<MissCounter>()

    package init(namespace: String, index: Int) {
        self.namespace = namespace
        self.index = index
        state = Locked(State(delivery: DeliveryState(namespace: namespace)))
    }

    /// Schemas of events that are no Iglu URIs; nil if there was none.
    var malformedSchemasIfAny: MissCounter? { schemaCounter.load() }

    /// Counts schemas of events that are no Iglu URIs.
    package var malformedSchemas: MissCounter {
        schemaCounter.load() ?? schemaCounter.storeIfNil(MissCounter())
    }

    /// Whether there has been no tracker and no events for a time, as far as this was asked.
    func isIdle(at uptime: Duration) -> Bool {
        state.withLock { state in
            guard state.owner == nil, counters(of: state).stored == 0 else {
                state.idleSince = nil
                return false
            }
            let since = state.idleSince ?? uptime
            state.idleSince = since
            return uptime - since >= Self.idleTime
        }
    }

    /// The tracker's session; nil without one.
    func session() -> SessionRecord? {
        // Called outside the emitter's lock, because it takes the tracker's.
        state.withLock { $0.session }?()
    }

    /// The tracker's settings; nil without a tracker.
    var settings: EffectiveSettings? { state.withLock { $0.delivery.settings } }

    /// The settings of the last of the namespace's trackers; nil if there was none in this process.
    var lastSettings: EffectiveSettings? { state.withLock { $0.delivery.settings ?? $0.lastSettings } }

    /// Takes the namespace's losses; nil without a tracker.
    var reporter: Reporter? { state.withLock { $0.reporter } }

    /// Whether sending was paused by code.
    var isPaused: Bool {
        state.withLock { $0.delivery.isPaused }
    }

    /// Gives the emitter to a tracker, its owner.
    func attach(
        _ owner: AnyObject, settings: EffectiveSettings, session: @escaping @Sendable () -> SessionRecord?,
        reporter: @escaping Reporter
    ) {
        state.withLock { state in
            (state.owner, state.session, state.reporter) = (ObjectIdentifier(owner), session, reporter)
            (state.delivery.settings, state.delivery.isPaused) = (settings, false)
        }
    }

    /// Takes the emitter from a tracker, if it still has it.
    func detach(_ owner: AnyObject) {
        // The deinit of objects that the closures hold is user code too.
        state.discard { state -> Handlers<DropAction>? in
            guard state.owner == ObjectIdentifier(owner) else { return nil }
            state.lastSettings = state.delivery.settings
            (state.owner, state.session, state.reporter) = (nil, nil, nil)
            (state.delivery.settings, state.delivery.isPaused) = (nil, false)
            defer { state.drops.actions = Handlers() }
            return state.drops.actions
        }
    }

    /// Changes the settings, if the emitter is still the tracker's.
    func update(_ owner: AnyObject, settings: EffectiveSettings) {
        state.withLock { if $0.owner == ObjectIdentifier(owner) { $0.delivery.settings = settings } }
    }

    /// Pauses or resumes sending, if the emitter is still the tracker's.
    func setPaused(_ owner: AnyObject, _ isPaused: Bool) {
        state.withLock { if $0.owner == ObjectIdentifier(owner) { $0.delivery.isPaused = isPaused } }
    }

    /// Reads the state of the delivery, or passes an event to it.
    package func withDelivery<Result>(_ body: (inout DeliveryState) -> Result) -> Result {
        state.withLock { body(&$0.delivery) }
    }

    /// Reads or changes the work in progress. Tasks are to be cancelled outside, because that may run a transport's
    /// code.
    func withWork<Result>(_ body: (inout Work) -> Result) -> Result {
        state.withLock { body(&$0.work) }
    }
}
