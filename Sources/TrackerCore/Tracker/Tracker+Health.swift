extension Tracker {
    /// The delivery of its events at this moment; in a forked child its counters alone.
    public var status: TrackerStatus {
        get async {
            guard pipeline.isOwnProcess else {
                var status = TrackerStatus(namespace: namespace)
                status.counters = counters
                return status
            }
            _ = await health
            return TrackerStatus(self)
        }
    }

    /// The health of the tracker; in a forked child its counters alone.
    package var health: TrackerHealth {
        get async {
            // The pipeline's thread does not exist in a forked child.
            guard pipeline.isOwnProcess else { return TrackerHealth(counters: counters) }
            return await pipeline.health(of: namespaceEmitter)
        }
    }

    /// The durations of its requests to collectors, since its namespace was set up in this process: those with a status of 200
    /// to 299, or all others.
    package func requestDurations(ofFailures: Bool) -> DurationHistogram {
        namespaceEmitter.durations(ofFailures: ofFailures)
    }

    /// Schemas of its events and entities that are no Iglu URIs, since its namespace was set up in this process.
    package var malformedSchemas: [MissCounter.Miss] { namespaceEmitter.malformedSchemasIfAny?.all ?? [] }

    /// The delivery of its events, as the pipeline last published it: it does not wait for the pipeline's thread. Not
    /// in a forked child.
    package var standing: DeliveryStanding {
        namespaceEmitter.standing(at: pipeline.time.uptime, wallTime: pipeline.time.wallTime)
    }

    /// The server of the first collector.
    package var collectorOrigin: Origin { state.withLock { $0.settings }.endpoints[0].origin }

    /// The settings in effect; nil in a forked child.
    package var effectiveSettings: EffectiveSettings? { access(\.settings) }

    /// The collectors that its settings name, the first one first.
    package var collectors: [String] { access(\.settings)?.endpoints.map(\.text) ?? [] }

    /// Calls a closure for each request to a collector that has ended, on the pipeline's thread. Keep it short.
    /// - Parameter action: The closure.
    /// - Returns: The subscription, which can be cancelled; otherwise it lasts as long as the tracker.
    @discardableResult
    public func onRequest(_ action: @escaping @Sendable (CollectorRequestReport) -> Void) -> Subscription {
        // In a forked child no request is made, and a lock may be held by a thread that does not exist there.
        pipeline.isOwnProcess ? namespaceEmitter.onRequest(self, action) : Subscription()
    }

    /// Calls a closure with events of the tracker's namespace that will never be sent.
    ///
    /// It gets events that the collector rejected, that were too large, that must not be retried, for which the store
    /// or the queue had no room, that were too old, or that were in memory only at the shutdown, and damaged events if
    /// they can be read. It does not get events that are dropped because code asked for it, such as those of a paused
    /// tracker, nor events that could not be encoded; ``counters`` count all. Each call has one reason and up to
    /// 100,000 events.
    ///
    /// Closures are called on a thread of their own, one call at a time. If one is slow, up to 16 MiB of payloads wait for it;
    /// further events are counted as ``TrackerCounters/unreportedDrops``. ``EventPipeline/shutdown(timeout:)`` waits for
    /// it, at most for its timeout.
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
        // In a forked child nothing is dropped that was taken, and a lock may be held by a thread that does not exist there.
        pipeline.isOwnProcess ? namespaceEmitter.onDrop(self, action) : Subscription()
    }
}

extension TrackerStatus {
    /// The status of a tracker, as its pipeline last published it.
    package init(_ tracker: Tracker, isKept: Bool = false) {
        self.init(namespace: tracker.namespace)
        let standing = tracker.standing
        let health = standing.health
        (self.isKept, isPaused) = (isKept, tracker.isPaused || health.isPaused)
        collector = (health.collector ?? tracker.collectors.first).map(EndpointURL.withoutSecrets)
        (counters, waiting) = (health.counters, health.counters.stored)
        storeUsedBytes = waiting > 0 ? health.usedBytes : 0
        (storeCapacityBytes, storeCapacityEvents) = (health.capacityBytes, health.capacityEvents)
        (lastMinute, lastHour, samples) = (standing.lastMinute, standing.lastHour, standing.samples)
        lossReasons = standing.lossReasons
        // The counters may be a moment ahead of the store.
        oldestEventTime = waiting > 0 ? health.oldestEventTime : nil
        (lastSuccessTime, failingSince) = (health.lastSuccessTime, health.failingSince)
        (tooLarge, consecutiveFailures) = (health.tooLarge, health.consecutiveFailures)
        (lastResponse, lastResponseTime) = (health.lastResponse, health.lastResponseTime)
        (lastFailingResponse, lastFailingResponseTime) = (health.lastFailingResponse, health.lastFailingResponseTime)
    }
}
