package import FoundationEssentials

/// What a ``TrackerStatus`` and the monitor of canaries are made from, at one moment.
package struct TrackerHealth: Sendable, Hashable {
    package var counters: TrackerCounters
    package var oldestEventTime: Date?
    package var usedBytes: Int
    /// The bounds of the unsent events; nil if they are not known.
    package var capacityBytes: Int?
    package var capacityEvents: Int?
    package var collector: String?
    package var consecutiveFailures: Int
    package var lastResponse: String?
    package var lastResponseTime: Date?
    package var lastFailingResponse: String?
    package var lastFailingResponseTime: Date?
    package var lastSuccessTime: Date?
    package var failingSince: Date?
    package var tooLarge: Int
    package var isPaused: Bool
    /// The outcomes of its newest requests, since its namespace was set up in this process.
    package var requests: RequestHistory

    package init(
        counters: TrackerCounters, oldestEventTime: Date? = nil, usedBytes: Int = 0, capacityBytes: Int? = nil,
        capacityEvents: Int? = nil, collector: String? = nil, consecutiveFailures: Int = 0, lastResponse: String? = nil,
        lastResponseTime: Date? = nil, lastFailingResponse: String? = nil, lastFailingResponseTime: Date? = nil,
        lastSuccessTime: Date? = nil,
        failingSince: Date? = nil, tooLarge: Int = 0, isPaused: Bool = false,
        requests: RequestHistory = RequestHistory()
    ) {
        self.counters = counters
        self.oldestEventTime = oldestEventTime
        self.usedBytes = usedBytes
        (self.capacityBytes, self.capacityEvents) = (capacityBytes, capacityEvents)
        self.collector = collector
        self.consecutiveFailures = consecutiveFailures
        self.lastResponse = lastResponse
        self.lastResponseTime = lastResponseTime
        self.lastFailingResponse = lastFailingResponse
        self.lastFailingResponseTime = lastFailingResponseTime
        self.lastSuccessTime = lastSuccessTime
        self.failingSince = failingSince
        self.tooLarge = tooLarge
        self.isPaused = isPaused
        self.requests = requests
    }
}
