/// Gives the events of a setup to any number of sequences.
final class EventBroadcast: Sendable {
    private struct State: Sendable {
        var listeners: [UInt64: AsyncStream<SetupEvent>.Continuation] = [:]
        var nextID: UInt64 = 0
        var latest: ConfigurationUpdate?
        var updateCount = 0
        var isFinished = false
    }

    // A caller that asks for a sequence and never reads it must not fill the memory over the months.
    private static let maxWaiting = 1000

    private let state = Locked(State())

    /// A sequence of all that comes, the latest update first.
    func events() -> AsyncStream<SetupEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SetupEvent.self, bufferingPolicy: .bufferingNewest(Self.maxWaiting))
        // The latest update is given outside the lock, and again where a newer one came in the meantime.
        var seen = 0
        while let update = register(continuation, after: &seen) { continuation.yield(.update(update)) }
        return stream
    }

    /// Registers a listener that has seen all updates.
    /// - Returns: The latest update, where the listener has not seen it.
    private func register(
        _ continuation: AsyncStream<SetupEvent>.Continuation, after seen: inout Int
    ) -> ConfigurationUpdate? {
        let (id, missed, isFinished) = state.withLock { state in
            let missed = state.updateCount > seen ? state.latest : nil
            seen = state.updateCount
            guard missed == nil, !state.isFinished else { return (UInt64(0), missed, state.isFinished) }
            state.nextID += 1
            state.listeners[state.nextID] = continuation
            return (state.nextID, nil, false)
        }
        if missed == nil && isFinished { continuation.finish() }
        if id > 0 {
            continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[id] = nil } }
        }
        return missed
    }

    func send(_ event: SetupEvent) {
        var listeners: [AsyncStream<SetupEvent>.Continuation] = []
        // With the old update may end trackers and the closures of their users.
        state.discard { state in
            listeners = Array(state.listeners.values)
            let old = state.latest
            if case .update(let update) = event {
                state.latest = update
                state.updateCount += 1
            }
            return old
        }
        for listener in listeners { listener.yield(event) }
    }

    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
