extension EventPipeline {
    /// What gets the payloads of a namespace's dropped events: its closures, and a client that watches.
    nonisolated func recipient(_ emitter: NamespaceEmitter) -> DropRecipient {
        // Not the parts of the reporter: each namespace keeps its closures.
        DropRecipient(
            isOpen: { [dropReporter] in dropReporter.isOpen(for: emitter) },
            receive: { [dropReporter] in dropReporter.receive($0, $1, of: emitter) },
            notKept: { [dropReporter] in dropReporter.notKept($0, $1, of: emitter) })
    }

    /// Takes a written event that the full queue refused, if its payload is wanted.
    nonisolated func refused(_ payload: UnsafeRawBufferPointer, isAnonymous: Bool, of emitter: NamespaceEmitter) {
        guard keepsDeadLetters || emitter.dropsIfAny?.isOpen == true else { return }
        if refusals.add(payload, isAnonymous: isAnonymous, of: emitter) { return }
        if emitter.dropsIfAny?.isOpen == true { _ = emitter.countUnreported(1, at: time.uptime) }
        if keepsDeadLetters { recipient(emitter).notKept(1, "too many events came at once") }
    }

    /// Keeps and passes on the events that the queue refused.
    func reportRefused() {
        for (emitter, events) in refusals.take() { storage.report(events, of: emitter.namespace, .queueFull) }
    }
}
