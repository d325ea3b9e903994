public import FoundationEssentials

/// How a tracker is doing, at one moment.
public struct TrackerHealth: Sendable, Hashable {
    /// What became of its events so far.
    public var counters: TrackerCounters

    /// When the oldest unsent event was tracked; nil without unsent events.
    public var oldestEventTime: Date?

    /// The collector that is sent to now; another than ``NetworkConfiguration/endpoint`` after repeated failure.
    public var collector: String?

    /// Failed passes in a row.
    public var consecutiveFailures: Int

    /// How the last request ended, as a sentence; nil before the first.
    public var lastResponse: String?

    /// When the last request ended; nil before the first.
    public var lastResponseTime: Date?

    /// When the collector last took events; nil if it never has.
    public var lastSuccessTime: Date?

    /// When the first of the requests that failed in a row ended; nil if the last one succeeded.
    public var failingSince: Date?

    /// Whether the emitter is paused.
    public var isPaused: Bool

    /// How its newest requests ended, since its namespace was set up in this process.
    public var requests: RequestHistory

    /// Creates a tracker's health.
    /// - Parameters:
    ///   - counters: What became of its events so far.
    ///   - oldestEventTime: When the oldest unsent event was tracked.
    ///   - collector: The collector that is sent to now.
    ///   - consecutiveFailures: Failed passes in a row.
    ///   - lastResponse: How the last request ended, as a sentence.
    ///   - lastResponseTime: When the last request ended.
    ///   - lastSuccessTime: When the collector last took events.
    ///   - failingSince: When the first of the requests that failed in a row ended.
    ///   - isPaused: Whether the emitter is paused.
    ///   - requests: How its newest requests ended.
    public init(
        counters: TrackerCounters, oldestEventTime: Date? = nil, collector: String? = nil, consecutiveFailures: Int = 0,
        lastResponse: String? = nil, lastResponseTime: Date? = nil, lastSuccessTime: Date? = nil,
        failingSince: Date? = nil, isPaused: Bool = false, requests: RequestHistory = RequestHistory()
    ) {
        self.counters = counters
        self.oldestEventTime = oldestEventTime
        self.collector = collector
        self.consecutiveFailures = consecutiveFailures
        self.lastResponse = lastResponse
        self.lastResponseTime = lastResponseTime
        self.lastSuccessTime = lastSuccessTime
        self.failingSince = failingSince
        self.isPaused = isPaused
        self.requests = requests
    }
}
