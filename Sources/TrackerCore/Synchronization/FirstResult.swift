/// One result for one waiter, from the first of several sources.
package final class FirstResult<Value: Sendable>: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Value, Never>)
        case finished(Value)
    }

    private let state = Locked(State.idle)

    package init() {}

    /// Waits for the first result. May be called only once.
    package var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value: Value? = state.withLock { state in
                    if case .finished(let value) = state { return value }
                    state = .waiting(continuation)
                    return nil
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }

    /// Sets the result; only the first one counts.
    /// - Returns: Whether it was the first.
    @discardableResult
    package func finish(_ value: Value) -> Bool {
        let (continuation, isFirst) = state.withLock { state -> (CheckedContinuation<Value, Never>?, Bool) in
            switch state {
            case .idle:
                state = .finished(value)
                return (nil, true)
            case .waiting(let continuation):
                state = .finished(value)
                return (continuation, true)
            case .finished: return (nil, false)
            }
        }
        continuation?.resume(returning: value)
        return isFirst
    }
}
