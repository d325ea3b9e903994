extension EventPipeline {
    /// What gets the payloads of a namespace's dropped events: its closures, and a client that watches.
    nonisolated func recipient(_ emitter: NamespaceEmitter) -> DropRecipient {
        DropRecipient(
            isOpen: { [tap] in emitter.drops.isOpen || tap.isOpen },
            receive: { [log, time, tap] events, reason in
                tap.settle(events, dropped: reason)
                let missed = emitter.drops.add(events, reason)
                guard missed > 0, let total = emitter.countUnreported(missed, at: time.uptime) else { return }
                log.scoped(to: emitter.namespace)
                    .error("\(total) dropped events were not passed to onDrop, because its closure is too slow")
            },
            notKept: { [log, time] count, reason in
                guard let total = emitter.countNotKept(count, at: time.uptime) else { return }
                log.scoped(to: emitter.namespace)
                    .error("\(total) dropped events could not be kept as dead letters: \(reason)")
            })
    }

    /// Takes a written event that the full queue refused, if its payload is wanted.
    nonisolated func refused(_ payload: UnsafeRawBufferPointer, isAnonymous: Bool, of emitter: NamespaceEmitter) {
        guard keepsDeadLetters || emitter.drops.isOpen else { return }
        if refusals.add(payload, isAnonymous: isAnonymous, of: emitter) { return }
        if emitter.drops.isOpen { _ = emitter.countUnreported(1, at: time.uptime) }
        if keepsDeadLetters { recipient(emitter).notKept(1, "too many events came at once") }
    }

    /// Keeps and passes on the events that the queue refused.
    func reportRefused() {
        for (emitter, events) in refusals.take() { storage.report(events, of: emitter.namespace, .queueFull) }
    }
}
