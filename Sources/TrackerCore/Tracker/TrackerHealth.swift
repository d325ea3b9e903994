/// How a tracker is doing, at one moment.
public struct TrackerHealth: Sendable, Hashable {
    /// What became of its events so far.
    public var counters: TrackerCounters

    /// When the oldest unsent event was tracked, in milliseconds since 1970; nil without unsent events.
    public var oldestEvent: Int64?

    /// The collector that is sent to now; another than ``NetworkConfiguration/endpoint`` after repeated failure.
    public var collector: String?

    /// Failed passes in a row.
    public var failuresInARow: Int

    /// How the last request ended, as a sentence; nil before the first.
    public var lastAnswer: String?

    /// Whether the emitter is paused.
    public var isPaused: Bool

    /// How its newest requests ended, since its namespace was set up in this process.
    public var requests: RequestHistory

    package init(
        counters: TrackerCounters, oldestEvent: Int64? = nil, collector: String? = nil, failuresInARow: Int = 0,
        lastAnswer: String? = nil, isPaused: Bool = false, requests: RequestHistory = RequestHistory()
    ) {
        self.counters = counters
        self.oldestEvent = oldestEvent
        self.collector = collector
        self.failuresInARow = failuresInARow
        self.lastAnswer = lastAnswer
        self.isPaused = isPaused
        self.requests = requests
    }
}

/// A request to a collector that has ended.
public struct CollectorRequestReport: Sendable, Hashable {
    /// The namespace whose events it carried.
    public let namespace: String

    /// How many events it carried.
    public let eventCount: Int

    /// The status of the answer, nil where none came.
    public let status: Int?

    /// What was done with the events, as a sentence.
    public let summary: String

    /// Whether the collector took the events.
    public let isDelivered: Bool
}

extension Tracker {
    /// How the tracker is doing, as its pipeline knows it.
    public var health: TrackerHealth {
        get async { await pipeline.health(of: namespaceEmitter) }
    }

    /// The server of the first collector.
    package var collectorOrigin: Origin { state.withLock { $0.settings }.endpoints[0].origin }

    /// The collectors that its settings name, the first one first.
    package var collectors: [String] { access(\.settings)?.endpoints.map(\.text) ?? [] }

    /// Calls a closure for each request to a collector that has ended, on the pipeline's thread: keep it short.
    /// - Parameter action: The closure, in the place of an earlier one; nil for none.
    public func onRequest(_ action: (@Sendable (CollectorRequestReport) -> Void)?) {
        namespaceEmitter.onRequest(self, action)
    }
}
