import Foundation

/// A value that only one thread at a time can reach.
///
/// Backed by `NSLock`: ThreadSanitizer reports false races for `Synchronization.Mutex` on Linux.
/// Never call user code, do I/O or yield inside ``withLock(_:)``.
package final class Locked<State>: @unchecked Sendable {
    private let lock = NSLock()
    private var state: State

    /// Wraps a value.
    package init(_ state: sending State) {
        self.state = state
    }

    /// Runs `body` with the value, alone.
    @inline(__always)
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }

    /// Replaces the value.
    /// - Returns: The old value, which ends outside the lock: its end may run user code.
    package func exchange(_ new: sending State) -> State where State: Sendable {
        withLock { state in
            let old = state
            state = new
            return old
        }
    }
}
