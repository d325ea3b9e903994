public import FoundationEssentials

/// How a tracker's events are delivered, at one moment.
public struct TrackerStatus: Sendable, Equatable, Codable {
    /// The namespace.
    public var namespace: String

    /// Whether the tracker or its emitter is paused.
    public var isPaused = false

    /// Whether the tracker stays although the document no longer names it.
    public var isKept = false

    /// The collector that is sent to now, without user, password and the values of its query.
    public var collector: String?

    /// What became of its events since its namespace was set up in this process.
    public var counters = TrackerCounters()

    /// What became of its events in the last minute, rounded: of the oldest 10 s it has the share that is not older.
    public var lastMinute = DeliveryRates()

    /// What became of its events in the last hour.
    public var lastHour = DeliveryRates()

    /// What became of its events in the last hour, by 10 s; the oldest first, at most 360. Samples without any event are
    /// left out.
    public var samples: [DeliverySample] = []

    /// Why events were lost in the last hour, sorted; empty if none was.
    public var lossReasons: [DropReason] = []

    /// The number of events that wait to be sent.
    public var waiting = 0

    /// When the oldest waiting event was tracked; nil without waiting events.
    public var oldestEventTime: Date?

    /// When the collector last took events; nil if it never has.
    public var lastSuccessTime: Date?

    /// When the first of the requests that failed in a row ended; nil if the last one succeeded.
    public var failingSince: Date?

    /// The number of passes that failed in a row.
    public var consecutiveFailures = 0

    /// How the last request ended, as a sentence; nil before the first.
    public var lastResponse: String?

    /// When the last request ended; nil before the first.
    public var lastResponseTime: Date?

    /// Creates the status of a tracker without events.
    /// - Parameter namespace: The namespace.
    public init(namespace: String) {
        self.namespace = namespace
    }

    /// Whether its requests fail: the collector cannot be reached, answers with an error or rejects the events. False while
    /// it is paused, and once no event waits and none was dropped in the last minute: nothing is sent then that could
    /// succeed.
    public var isFailing: Bool { failingSince != nil && !isPaused && (waiting > 0 || lastMinute.dropped > 0) }
}
