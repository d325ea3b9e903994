extension Tracker {
    /// The delivery of its events at this moment.
    public var status: TrackerStatus {
        get async {
            await pipeline.publishAll(of: namespaceEmitter)
            return lastStatus
        }
    }

    /// The delivery of its events as the pipeline last published it; does not wait for the pipeline's thread.
    package var lastStatus: TrackerStatus {
        var status = namespaceEmitter.status(at: pipeline.time.uptime, wallTime: pipeline.time.wallTime)
        if isPaused { status.isPaused = true }
        return status
    }

    /// The outcomes of its newest requests, since its namespace was set up in this process.
    package var requestHistory: RequestHistory { namespaceEmitter.requestHistory }

    /// The durations of its requests to collectors, since its namespace was set up in this process: those with a status
    /// of 200 to 299, or all others.
    package func requestDurations(ofFailures: Bool) -> DurationHistogram {
        namespaceEmitter.state.withLock { $0.durations[!ofFailures] } ?? DurationHistogram()
    }

    /// The schemas of its events and entities that are not Iglu URIs, since its namespace was set up in this process.
    package var malformedSchemas: [(text: String, count: Int)] { namespaceEmitter.malformedSchemas.all }

    /// The server of its collector.
    package var collectorOrigin: Origin { state.withLock { $0.settings }.endpoint.origin }

    /// The settings in effect.
    package var effectiveSettings: EffectiveSettings { state.withLock(\.settings) }

    /// Calls a closure with events of the tracker's namespace that will never be sent.
    ///
    /// It receives events that the collector rejected, that were too large, that must not be retried, that did not fit
    /// into the store, that were too old, or that were in memory only at the shutdown. It does not receive events that
    /// were dropped at the request of code, such as those of a paused tracker, nor events that could not be encoded,
    /// that did not fit into the queue before the store, or whose records are damaged; ``counters`` include them all.
    /// Each call has one reason and up to 100,000 events.
    ///
    /// Closures are called on separate threads, one call at a time. If one is slow, up to 16 MiB of payloads wait for
    /// it; further events are counted as ``TrackerCounters/unreportedDrops``. ``EventPipeline/shutdown(timeout:)``
    /// waits for it, at most for its timeout.
    ///
    /// ```swift
    /// tracker.onDrop { events, reason in
    ///     for event in events { audit.record(event.id, reason, event.payload) }
    /// }
    /// ```
    /// - Parameter action: The closure.
    /// - Returns: The subscription, which can be cancelled; otherwise it lasts as long as the tracker.
    @discardableResult
    public func onDrop(
        _ action: @escaping @Sendable (_ events: [DroppedEvent], _ reason: DropReason) -> Void
    ) -> Subscription {
        namespaceEmitter.onDrop(self, action)
    }
}
