extension EventPipeline {
    /// How a namespace is doing.
    func health(of outbox: Outbox) -> TrackerHealth {
        drain()
        openLanes()
        let lane = lanes[outbox.number]
        let endpoints = outbox.settings?.endpoints ?? []
        var oldest: Int64?
        do throws(EventStoreError) {
            oldest = try lane.key.flatMap { key throws(EventStoreError) in try store.oldestTime(of: key) }
        } catch {
            log.error("the oldest event of \(outbox.namespace.excerpt) cannot be read: \(error.reason)")
        }
        return TrackerHealth(
            counters: outbox.counters, oldestEvent: oldest ?? overflow.oldestTime(of: lane.overflowKey),
            collector: endpoints.indices.contains(lane.choice.current) ? endpoints[lane.choice.current].text : nil,
            failuresInARow: lane.schedule.failuresInARow, lastAnswer: lane.lastAnswer, isPaused: outbox.isPaused,
            requests: lane.history)
    }
}
