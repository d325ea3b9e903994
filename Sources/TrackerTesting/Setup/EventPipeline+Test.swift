public import TrackerCore

extension EventPipeline {
    /// Returns a pipeline without disk and network, for a tracker without a setup.
    ///
    /// ```swift
    /// let (collector, time) = (RecordingCollector(), ManualTime())
    /// let tracker = try Tracker(bundle, pipeline: .test(collector: collector, time: time))
    /// ```
    /// - Parameters:
    ///   - collector: The transport of the trackers.
    ///   - time: The clock.
    ///   - log: The log, with the records of all levels up to ``/TrackerConfig/LogLevel/debug``; none by default.
    ///   - seed: The seed of ids and jitter; 1 by default.
    /// - Returns: The pipeline.
    public static func test(
        collector: any HTTPTransport, time: ManualTime, log: (any LogSink)? = nil, seed: UInt64 = 1
    ) -> EventPipeline {
        EventPipeline(
            directory: nil, transport: collector, log: Log(log, level: .debug), time: time,
            random: SeededRandom(seed: seed))
    }
}
