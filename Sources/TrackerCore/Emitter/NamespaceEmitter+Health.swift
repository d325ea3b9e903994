import FoundationEssentials

/// How a tracker's events are delivered, as the pipeline last published it.
package struct DeliveryStanding: Sendable {
    /// How the tracker is doing.
    package let health: TrackerHealth
    /// What became of its events in the last minute.
    package let lastMinute: DeliveryRates
    /// What became of its events in the last hour.
    package let lastHour: DeliveryRates
    /// What became of its events in the last hour, by 10 s, the oldest first.
    package let samples: [DeliverySample]
    /// Why events were lost in the last hour.
    package let lossReasons: [DropReason]
}

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

    /// How the tracker is doing.
    package var health: TrackerHealth { state.withLock { health(of: $0) } }

    private func health(of state: State) -> TrackerHealth {
        let delivery = state.delivery
        let endpoints = delivery.settings?.endpoints ?? []
        let collector = delivery.choice.current
        let counters = counters(of: state)
        let bounds = (delivery.settings ?? state.lastSettings)?.emitter
        return TrackerHealth(
            counters: counters, oldestEventTime: state.oldestEventTime.map(Date.init(milliseconds:)),
            usedBytes: state.unsent.bytes,
            capacityBytes: bounds.map { min($0.maxEventStoreBytes ?? .max, state.availableBytes) },
            capacityEvents: bounds.map { $0.maxEventStoreSize ?? .max },
            collector: endpoints.indices.contains(collector) ? endpoints[collector].text : nil,
            consecutiveFailures: delivery.consecutiveFailures, lastResponse: delivery.lastResponse,
            lastResponseTime: delivery.lastResponseTime.map(Date.init(milliseconds:)),
            lastFailingResponse: delivery.lastFailure?.response,
            lastFailingResponseTime: (delivery.lastFailure?.time).map(Date.init(milliseconds:)),
            lastSuccessTime: delivery.lastSuccessTime.map(Date.init(milliseconds:)),
            failingSince: delivery.failingSince.map(Date.init(milliseconds:)),
            // Some may have expired since.
            tooLarge: min(delivery.setAside.ids.count, counters.stored), isPaused: delivery.isPaused,
            requests: delivery.history)
    }

    /// How the namespace's events are delivered, with what was counted until now.
    func standing(at uptime: Duration, wallTime: Int64) -> DeliveryStanding {
        state.withLock { state in
            sample(&state, at: uptime)
            let sampler = state.sampler
            return DeliveryStanding(
                health: health(of: state), lastMinute: sampler.lastMinute(at: uptime),
                lastHour: sampler.lastHour(at: uptime),
                samples: sampler.samples(at: uptime, wallTime: wallTime), lossReasons: sampler.lossReasons(at: uptime))
        }
    }
}
