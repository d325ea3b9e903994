import TrackerConfig
import TrackerCore

/// A connection of a source, whose signals a task takes as they come.
final class ListenedConnection: Sendable {
    private struct State: Sendable {
        var signals: [SourceSignal] = []
        var hasEnded = false
        var arrival: FirstResult<Void>?
    }

    private let state: Locked<State>
    private let task: Task<Void, Never>

    init(_ signals: AsyncStream<SourceSignal>) {
        let state = Locked(State())
        self.state = state
        task = Task {
            for await signal in signals { Self.note(signal, state) }
            Self.note(nil, state)
        }
    }

    private static func note(_ signal: SourceSignal?, _ state: Locked<State>) {
        let arrival = state.withLock { state in
            if let signal { state.signals.append(signal) } else { state.hasEnded = true }
            return state.arrival.take()
        }
        arrival?.finish(())
    }

    /// Whether the connection has ended.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Waits for the next signal.
    /// - Returns: The signal; nil if the connection has ended, or if none comes in the time that a check waits.
    func next() async -> SourceSignal? {
        let arrival = FirstResult<Void>()
        let mayWait = state.withLock { state in
            let mayWait = state.signals.isEmpty && !state.hasEnded
            if mayWait { state.arrival = arrival }
            return mayWait
        }
        if mayWait {
            _ = await result(within: Conformance.patience) { await arrival.value }
            arrival.finish(())
        }
        return state.withLock { $0.signals.isEmpty ? nil : $0.signals.removeFirst() }
    }

    /// Waits for the signal of a publication.
    /// - Parameter document: The document that was published.
    /// - Returns: Whether `changed` or the document itself came.
    func announces(_ document: [UInt8]) async -> Bool {
        while let signal = await next() {
            if signal.kind == .changed { return true }
            if signal.kind == .document, signal.document?.bytes == document { return true }
        }
        return false
    }

    /// Stops iterating, which closes the connection.
    func close() async {
        task.cancel()
        await task.value
    }
}
