import FoundationEssentials

extension NamespaceEmitter {
    /// Publishes what has changed for readers on other threads.
    /// - Parameters:
    ///   - unsent: The unsent events.
    ///   - availableBytes: The most bytes of unsent events for which memory and disk have room.
    ///   - uptime: The time.
    ///   - wallTime: The same time in milliseconds since 1970.
    package func publish(unsent: EventAmount, availableBytes: Int, at uptime: Duration, wallTime: Int64) {
        state.withLock { state in
            (state.unsent, state.availableBytes) = (unsent, availableBytes)
            if unsent.events == 0 {
                state.oldestEventTime = nil
            } else if state.oldestEventTime == nil {
                // The first of a queue was tracked within milliseconds; what was recovered is read from the store.
                state.oldestEventTime = wallTime
            }
            sample(&state, at: uptime)
        }
    }

    /// Publishes when the oldest unsent event was tracked, in milliseconds since 1970.
    package func publish(oldestEventTime: Int64?) {
        state.withLock { $0.oldestEventTime = oldestEventTime }
    }

    /// Adds what was counted since the last call to the samples.
    func sample(at uptime: Duration) {
        state.withLock { sample(&$0, at: uptime) }
    }

    private func sample(_ state: inout State, at uptime: Duration) {
        let counters = counters(of: state)
        state.sampler.note(counters, at: uptime)
    }

    /// The outcomes of the newest requests, since the namespace was set up in this process.
    package var requestHistory: RequestHistory { withDelivery(\.history) }

    /// The delivery of the namespace's events, with what was counted until now.
    package func status(at uptime: Duration, wallTime: Int64) -> TrackerStatus {
        state.withLock { state in
            sample(&state, at: uptime)
            let (delivery, sampler) = (state.delivery, state.sampler)
            let settings = delivery.settings ?? state.lastSettings
            var status = delivery.status
            status.counters = counters(of: state)
            status.waiting = status.counters.stored
            status.isPaused = delivery.isPaused
            status.collector = settings.map { EndpointURL.withoutSecrets($0.endpoint.text) }
            status.consecutiveFailures = delivery.backoff.failures
            // Some may have expired since.
            status.setAside = min(delivery.isolation.setAside.count, status.waiting)
            if status.waiting > 0 {
                // The counters may be a moment ahead of the store.
                status.storeUsedBytes = state.unsent.bytes
                status.oldestEventTime = state.oldestEventTime.map(Date.init(milliseconds:))
            }
            if let emitter = settings?.emitter {
                status.storeCapacityBytes = min(emitter.maxEventStoreBytes ?? .max, state.availableBytes)
                status.storeCapacityEvents = emitter.maxEventStoreSize ?? .max
            }
            (status.lastMinute, status.lastHour) = (sampler.lastMinute(at: uptime), sampler.lastHour(at: uptime))
            status.samples = sampler.samples(at: uptime, wallTime: wallTime)
            status.lossReasons = sampler.lossReasons(at: uptime)
            return status
        }
    }
}
