public import FoundationEssentials

/// The delivery of a tracker's events, at one moment.
public struct TrackerStatus: Sendable, Equatable, Encodable {
    /// The namespace.
    public var namespace: String

    /// Whether the tracker or its emitter is paused.
    public var isPaused = false

    /// Whether the document no longer names the tracker, which is still draining: it accepts events for up to another
    /// minute, and ends when they are sent, at the latest an hour later. Only the status of a setup has it.
    public var isKept = false

    /// The collector, without user, password and the values of its query.
    public var collector: String?

    /// The numbers of its events by outcome, since its namespace was set up in this process.
    public var counters = TrackerCounters()

    /// The numbers of its events in the last minute, by outcome. The oldest 10 s count only in part, rounded.
    package var lastMinute = DeliveryRates()

    /// The numbers of its events in the last hour, by outcome.
    package var lastHour = DeliveryRates()

    /// The numbers of its events in the last hour in steps of 10 s, the oldest first, at most 360. Samples without any
    /// event are left out.
    package var samples: [DeliveryRates] = []

    /// The reasons for lost events in the last hour, sorted; empty if no event was lost.
    public var lossReasons: [DropReason] = []

    /// The number of events that wait to be sent.
    public var waiting = 0

    /// The size of the waiting events in bytes: their payloads without the overhead of a file, as for
    /// ``storeCapacityBytes``. Events that were tracked in the last milliseconds are not counted yet.
    public var storeUsedBytes = 0

    /// The maximum size of the waiting events in bytes; beyond it the oldest are dropped as ``DropReason/storeFull``.
    /// It is `maxEventStoreBytes`; while the disk takes no events or there is no state directory, it is at most the
    /// size on disk plus `maxMemoryEventBytes`, which all trackers share. nil if it is not known.
    public var storeCapacityBytes: Int?

    /// The maximum number of waiting events, `maxEventStoreSize`; beyond it the oldest are dropped as
    /// ``DropReason/storeFull``. It is usually reached before ``storeCapacityBytes``. nil if it is not known.
    public var storeCapacityEvents: Int?

    /// The time when the oldest waiting event was tracked; nil without waiting events.
    public var oldestEventTime: Date?

    /// The time when the collector last accepted events; nil if it never has.
    public var lastSuccessTime: Date?

    /// The time when the first of the consecutive failed requests ended; nil if the last one succeeded.
    public var failingSince: Date?

    /// The number of waiting events whose requests fail although others are delivered. They are retried one by one on a
    /// schedule of their own, after a second to an hour.
    public var setAside = 0

    /// The number of passes that failed in a row.
    public var consecutiveFailures = 0

    /// The outcome of the last request, as a sentence; nil before the first.
    public var lastResponse: String?

    /// The time when the last request ended; nil before the first.
    public var lastResponseTime: Date?

    /// The outcome of the last request that failed, as a sentence; nil before the first. A later success keeps it.
    public var lastFailingResponse: String?

    /// The time when the last request that failed ended; nil before the first.
    public var lastFailingResponseTime: Date?

    /// The time of the success after the last series of failures of at least 10 s; nil if there was none.
    package var lastOutageEnd: Date?

    /// The duration of that series in seconds.
    package var lastOutageSeconds: Double?

    /// The version of the document with which the failure began: its application changed the network settings at most 2
    /// min before ``failingSince``, and no later request succeeded. nil if there is none. Only the status of a setup
    /// has it.
    public var failingSinceVersion: Int?

    /// The network settings that ``failingSinceVersion`` changed, such as `network.endpoint`, sorted; empty without it.
    public var failingSinceSettings: [String] = []

    /// Creates the status of a tracker without events.
    /// - Parameter namespace: The namespace.
    public init(namespace: String) {
        self.namespace = namespace
    }

    /// Whether its requests fail: the collector cannot be reached, answers with an error or rejects the events. False
    /// while it is paused, or if no event waits and none was dropped in the last minute, because no request is sent
    /// then.
    public var isFailing: Bool { failingSince != nil && !isPaused && (waiting > 0 || lastMinute.dropped > 0) }
}
