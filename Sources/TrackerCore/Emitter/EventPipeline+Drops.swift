extension EventPipeline {
    /// What gets the payloads of a namespace's dropped events: its closures, and a client that watches.
    nonisolated func recipient(_ emitter: NamespaceEmitter) -> DropRecipient {
        // Not the parts of the reporter: each namespace keeps its closures.
        DropRecipient(
            isOpen: { [dropReporter] in dropReporter.isOpen(for: emitter) },
            receive: { [dropReporter] in dropReporter.receive($0, $1, of: emitter) },
            notKept: { [dropReporter] in dropReporter.notKept($0, $1, of: emitter) })
    }
}
