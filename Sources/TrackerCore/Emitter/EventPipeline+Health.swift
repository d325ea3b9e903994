extension EventPipeline {
    /// How requests fared lately.
    package struct Standing: Sendable {
        /// Failed passes in a row.
        package let failuresInARow: Int
        /// How the last request ended, as a sentence; nil before the first.
        package let lastAnswer: String?
    }

    /// How the requests of all namespaces fared, without a look at the store.
    package var standings: [String: Standing] {
        openLanes()
        return Dictionary(
            lanes.map { lane in
                (
                    lane.outbox.namespace,
                    Standing(failuresInARow: lane.schedule.failuresInARow, lastAnswer: lane.lastAnswer)
                )
            }, uniquingKeysWith: { first, _ in first })
    }

    /// How a namespace is doing.
    func health(of outbox: Outbox) -> TrackerHealth {
        drain()
        openLanes()
        let lane = lanes[outbox.number]
        let endpoints = outbox.settings?.endpoints ?? []
        return TrackerHealth(
            counters: outbox.counters, oldestEvent: storage.oldestTime(of: outbox.number),
            collector: endpoints.indices.contains(lane.choice.current) ? endpoints[lane.choice.current].text : nil,
            failuresInARow: lane.schedule.failuresInARow, lastAnswer: lane.lastAnswer, isPaused: outbox.isPaused,
            requests: lane.history)
    }
}
