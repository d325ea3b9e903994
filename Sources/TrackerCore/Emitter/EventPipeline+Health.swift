extension EventPipeline {
    /// How a namespace is doing.
    func health(of emitter: NamespaceEmitter) -> TrackerHealth {
        drain()
        openPartitions()
        emitter.publish(oldestEventTime: storage.oldestTime(of: emitter.index))
        return emitter.health
    }

    /// Publishes how many events of a namespace are unsent, and for how many there is room.
    func publishUnsent(of emitter: NamespaceEmitter) {
        emitter.publish(
            unsent: storage.amount(of: emitter.index), availableBytes: storage.availableBytes(for: emitter.index),
            at: time.uptime, wallTime: time.wallTime)
    }

    /// Publishes when the oldest unsent event was tracked, as the store has it.
    func publishOldest(of emitter: NamespaceEmitter) {
        guard storage.amount(of: emitter.index).events > 0 else { return emitter.publish(oldestEventTime: nil) }
        // A store that cannot be read is reported where its events are loaded.
        if let oldest = try? storage.readOldestTime(of: emitter.index) { emitter.publish(oldestEventTime: oldest) }
    }
}
