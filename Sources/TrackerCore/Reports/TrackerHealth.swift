/// How a tracker is doing, at one moment.
public struct TrackerHealth: Sendable, Hashable {
    /// What became of its events so far.
    public var counters: TrackerCounters

    /// When the oldest unsent event was tracked, in milliseconds since 1970; nil without unsent events.
    public var oldestEvent: Int64?

    /// The collector that is sent to now; another than ``NetworkConfiguration/endpoint`` after repeated failure.
    public var collector: String?

    /// Failed passes in a row.
    public var consecutiveFailures: Int

    /// How the last request ended, as a sentence; nil before the first.
    public var lastResponse: String?

    /// Whether the emitter is paused.
    public var isPaused: Bool

    /// How its newest requests ended, since its namespace was set up in this process.
    public var requests: RequestHistory

    package init(
        counters: TrackerCounters, oldestEvent: Int64? = nil, collector: String? = nil, consecutiveFailures: Int = 0,
        lastResponse: String? = nil, isPaused: Bool = false, requests: RequestHistory = RequestHistory()
    ) {
        self.counters = counters
        self.oldestEvent = oldestEvent
        self.collector = collector
        self.consecutiveFailures = consecutiveFailures
        self.lastResponse = lastResponse
        self.isPaused = isPaused
        self.requests = requests
    }
}
