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
