extension Experiments {
    /// Why a call of a store was given up.
    struct StoreTimeout: Error, CustomStringConvertible {
        let timeout: Duration

        var description: String { "no answer within \(timeout)" }
    }

    /// How many calls may be given up and not be over, before a single one at a time finds out whether the store is well.
    static let maxAbandoned = 1000

    /// The longest that a unit's assignments are waited for; nil for the embedded store, which waits for the local disk.
    var loadTimeout: Duration? {
        parts.options.assignmentStore == nil ? nil : max(parts.options.storeTimeout, .milliseconds(1))
    }

    /// The longest that keeping and forgetting are waited for.
    var writeTimeout: Duration? { loadTimeout.map { min($0, .seconds(86_400)) * 10 } }

    /// Calls a store that may hang. A call that takes too long is cancelled, and no longer waited for.
    /// - Parameters:
    ///   - timeout: How long it may take; nil for any time.
    ///   - operation: The call.
    /// - Returns: What the call returns.
    /// - Throws: What the call throws, or ``StoreTimeout``.
    func bounded<Value: Sendable>(
        _ timeout: Duration?, _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let timeout else { return try await operation() }
        let race = FirstResult<Result<Value, any Error>>()
        let call = Task.detached { [self] in
            let result: Result<Value, any Error>
            do {
                result = .success(try await operation())
            } catch {
                result = .failure(error)
            }
            if !race.finish(result) { state.withLock { $0.abandonedCalls -= 1 } }
        }
        let timer = Task { [self] in
            guard await parts.time.sleepUnlessCancelled(for: timeout) else { return }
            // Counted before the waiter goes on, which may begin the next call.
            state.withLock { $0.abandonedCalls += 1 }
            if !race.finish(.failure(StoreTimeout(timeout: timeout))) { state.withLock { $0.abandonedCalls -= 1 } }
        }
        let result = await race.value
        timer.cancel()
        if case .failure(let error) = result, error is StoreTimeout { call.cancel() }
        return try result.get()
    }
}
