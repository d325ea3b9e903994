import TrackerCore

/// An update or an outcome of a setup; see ``Setup/events``.
@nonexhaustive
public enum SetupEvent: Sendable {
    /// A configuration was applied.
    case update(ConfigurationUpdate)
    /// A fetch ended; it follows the update of the same fetch, if there is one.
    case outcome(ConfigurationOutcome)
}

/// Sends the events of a setup to any number of sequences.
final class EventBroadcast: Sendable {
    private struct State: Sendable {
        var listeners: [UInt64: AsyncStream<SetupEvent>.Continuation] = [:]
        var nextID: UInt64 = 0
        var latest: ConfigurationUpdate?
        var updateCount = 0
        var isFinished = false
    }

    // Bounded, because a caller may never read its sequence.
    private static let maxWaiting = 1000

    private let state = Locked(State())

    /// Returns a sequence of the future events, which begins with the latest update.
    func events() -> AsyncStream<SetupEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SetupEvent.self, bufferingPolicy: .bufferingNewest(Self.maxWaiting))
        // Yield the latest update outside the lock, and repeat if a newer one has arrived in the meantime.
        var seen = 0
        while let update = register(continuation, after: &seen) { continuation.yield(.update(update)) }
        return stream
    }

    /// Registers a listener if it has received the latest update.
    /// - Returns: The latest update if the listener has not received it; otherwise nil.
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
        // Releasing the old update may run the deinit of trackers and of their users' closures.
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
