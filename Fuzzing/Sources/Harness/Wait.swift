import Dispatch

/// Waits for an asynchronous call: libFuzzer calls a function that is none.
public func wait<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var value: Value?
    Task.detached {
        value = await body()
        done.signal()
    }
    done.wait()
    return value!
}
