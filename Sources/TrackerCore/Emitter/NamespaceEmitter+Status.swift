import FoundationEssentials

extension NamespaceEmitter {
    /// Publishes changes for readers on other threads.
    /// - Parameters:
    ///   - unsent: The unsent events.
    ///   - availableBytes: The maximum size of unsent events that fit into memory and disk, in bytes.
    ///   - uptime: The time.
    ///   - wallTime: The same time in milliseconds since 1970.
    package func publish(unsent: EventAmount, availableBytes: Int, at uptime: Duration, wallTime: Int64) {
        state.withLock { state in
            state.availableBytes = availableBytes
            state.delivery.status.storeUsedBytes = unsent.bytes
            if unsent.events == 0 {
                state.delivery.status.oldestEventTime = nil
            } else if state.delivery.status.oldestEventTime == nil {
                // The first event of a queue is milliseconds old; the time of recovered events comes from the store.
                state.delivery.status.oldestEventTime = Date(milliseconds: wallTime)
            }
            state.sampler.note(counters(of: state), at: uptime)
        }
    }

    /// Publishes the time at which the oldest unsent event was tracked, in milliseconds since 1970.
    package func publish(oldestEventTime: Int64?) {
        let time = oldestEventTime.map(Date.init(milliseconds:))
        state.withLock { $0.delivery.status.oldestEventTime = time }
    }

    /// The outcomes of the newest requests, since the namespace was set up in this process.
    package var requestHistory: RequestHistory { withDelivery(\.history) }

    /// Returns the status of delivery with the current counters.
    package func status(at uptime: Duration, wallTime: Int64) -> TrackerStatus {
        state.withLock { state in
            let counters = counters(of: state)
            state.sampler.note(counters, at: uptime)
            let (delivery, sampler) = (state.delivery, state.sampler)
            let settings = delivery.settings ?? state.lastSettings
            var status = delivery.status
            (status.counters, status.waiting) = (counters, counters.stored)
            status.isPaused = delivery.isPaused
            status.collector = settings.map { EndpointURL.withoutSecrets($0.endpoint.text) }
            status.consecutiveFailures = delivery.backoff.failures
            // Some set-aside events may have expired.
            status.setAside = min(delivery.isolation.setAside.count, status.waiting)
            // The counters may be a moment ahead of the store.
            if status.waiting == 0 { (status.storeUsedBytes, status.oldestEventTime) = (0, nil) }
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
