/// Written events that the full queue did not take, on their way to the pipeline's thread.
final class RefusedEvents: Sendable {
    private struct State: Sendable {
        var events: [(emitter: NamespaceEmitter, event: StoredEvent)] = []
        var bytes = 0
    }

    /// The most bytes of payloads: the queue has filled the memory already.
    private static let maxBytes = 4 << 20

    private let state = Locked(State())

    /// Takes an event.
    /// - Returns: Whether there was room for it.
    func add(_ payload: UnsafeRawBufferPointer, isAnonymous: Bool, of emitter: NamespaceEmitter) -> Bool {
        let event = StoredEvent(id: 0, isAnonymous: isAnonymous, payload: Array(payload))
        return state.withLock { state in
            guard state.bytes + payload.count <= Self.maxBytes else { return false }
            state.bytes += payload.count
            state.events.append((emitter, event))
            return true
        }
    }

    /// Takes out what there is, by namespace.
    func take() -> [(emitter: NamespaceEmitter, events: [StoredEvent])] {
        let taken = state.exchange(State()).events
        guard !taken.isEmpty else { return [] }
        return Dictionary(grouping: taken, by: \.emitter.index).values.map { ($0[0].emitter, $0.map(\.event)) }
    }
}
