package import TrackerCore

/// The event pipeline of a setup, created with its first tracker: a setup without trackers has no thread, file or
/// connection for events.
package final class SetupPipeline: Sendable {
    package let tap = EventTap()
    private let time: any TimeSource
    private let state = Locked<(pipeline: EventPipeline?, isShutDown: Bool)>((nil, false))
    private let make: @Sendable (EventTap) -> EventPipeline

    /// - Parameters:
    ///   - time: The clock.
    ///   - make: Creates the pipeline; it may read and write files.
    package init(time: any TimeSource, make: @escaping @Sendable (EventTap) -> EventPipeline) {
        (self.time, self.make) = (time, make)
    }

    /// The pipeline; nil before the first tracker.
    package var current: EventPipeline? { state.withLock { $0.pipeline } }

    /// Returns the pipeline, which is created if it does not exist. Calls must not overlap.
    /// - Returns: The pipeline, and the warnings if this call created it.
    func open() -> (pipeline: EventPipeline, warnings: [ConfigurationError]) {
        if let current { return (current, []) }
        // Outside the lock, because it opens files.
        let pipeline = make(tap)
        let isShutDown = state.withLock { state in
            state.pipeline = pipeline
            return state.isShutDown
        }
        if isShutDown { Task.unbound { await pipeline.shutdown(timeout: .zero) } }
        return (pipeline, warnings)
    }

    /// The warnings of the pipeline's creation, which were already logged.
    var warnings: [ConfigurationError] {
        (current?.warnings ?? []).map { ConfigurationError(.warning, place: "event store", reason: $0) }
    }

    /// The wall clock, in milliseconds since 1970.
    package var now: Int64 { time.wallTime }

    /// The monotonic clock.
    var uptime: Duration { time.uptime }

    /// Stops accepting events, sends events until the timeout and closes the store.
    func shutdown(timeout: Duration) async -> TrackerCounters {
        let pipeline = state.withLock { state in
            state.isShutDown = true
            return state.pipeline
        }
        return await pipeline?.shutdown(timeout: timeout) ?? TrackerCounters()
    }
}
