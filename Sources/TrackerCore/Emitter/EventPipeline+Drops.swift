extension EventPipeline {
    /// Gets the payloads of a namespace's dropped events, for its closures and for a client that watches.
    nonisolated func recipient(_ emitter: NamespaceEmitter) -> DropRecipient {
        // Unowned, because the pipeline's store keeps it.
        DropRecipient(
            isOpen: { [unowned self] in emitter.hasDropActions || tap.isOpen },
            receive: { [unowned self] events, reason in
                tap.settle(events, dropped: reason)
                let message = "were not passed to onDrop, because its closure is too slow"
                countMissed(emitter.passOn(events, reason), \.unreportedDrops, of: emitter, message)
            },
            notKept: { [unowned self] count, reason in
                countMissed(
                    count, \.deadLetterFailures, of: emitter, "could not be kept as dead letters: \(reason)")
            })
    }

    private nonisolated func countMissed(
        _ count: Int, _ counter: WritableKeyPath<TrackerCounters, Int>, of emitter: NamespaceEmitter, _ message: String
    ) {
        guard count > 0, let total = emitter.countMissed(count, counter, at: time.uptime) else { return }
        log.scoped(to: emitter.namespace).error("\(total) dropped events \(message)")
    }
}
