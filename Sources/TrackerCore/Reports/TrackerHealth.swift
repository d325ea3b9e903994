package import FoundationEssentials

/// The health of a tracker, at one moment.
package struct TrackerHealth: Sendable, Hashable {
    /// The numbers of its events by outcome.
    package var counters: TrackerCounters

    /// The time when the oldest unsent event was tracked; nil without unsent events.
    package var oldestEventTime: Date?

    /// The collector in use; after repeated failure it differs from ``NetworkConfiguration/endpoint``.
    package var collector: String?

    /// The number of passes that failed in a row.
    package var consecutiveFailures: Int

    /// The outcome of the last request, as a sentence; nil before the first.
    package var lastResponse: String?

    /// The time when the last request ended; nil before the first.
    package var lastResponseTime: Date?

    /// The time when the collector last accepted events; nil if it never has.
    package var lastSuccessTime: Date?

    /// The time when the first of the consecutive failed requests ended; nil if the last one succeeded.
    package var failingSince: Date?

    /// The number of waiting events that the collector refuses one by one as too large (413, or 414 by GET). They are retried
    /// on a schedule of their own and delay no other event.
    package var tooLarge: Int

    /// Whether the emitter is paused.
    package var isPaused: Bool

    /// The outcomes of its newest requests, since its namespace was set up in this process.
    package var requests: RequestHistory

    package init(
        counters: TrackerCounters, oldestEventTime: Date? = nil, collector: String? = nil, consecutiveFailures: Int = 0,
        lastResponse: String? = nil, lastResponseTime: Date? = nil, lastSuccessTime: Date? = nil,
        failingSince: Date? = nil, tooLarge: Int = 0, isPaused: Bool = false,
        requests: RequestHistory = RequestHistory()
    ) {
        self.counters = counters
        self.oldestEventTime = oldestEventTime
        self.collector = collector
        self.consecutiveFailures = consecutiveFailures
        self.lastResponse = lastResponse
        self.lastResponseTime = lastResponseTime
        self.lastSuccessTime = lastSuccessTime
        self.failingSince = failingSince
        self.tooLarge = tooLarge
        self.isPaused = isPaused
        self.requests = requests
    }
}
