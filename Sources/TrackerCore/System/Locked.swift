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

    /// Runs `body` with the value unless another thread has the lock; never waits.
    /// - Parameter body: What to run.
    /// - Returns: What `body` returns; nil if the lock is taken.
    package func withLockIfFree<Result>(_ body: (inout State) -> Result) -> Result? {
        guard lock.try() else { return nil }
        defer { lock.unlock() }
        return body(&state)
    }
}

extension Locked where State: Sendable {
    /// Replaces the value.
    /// - Parameter new: The new value.
    /// - Returns: The old value. It is released outside the lock, because its end may run user code.
    @discardableResult
    package func exchange(_ new: State) -> State {
        withLock { state in
            let old = state
            state = new
            return old
        }
    }

    /// Replaces a part of the value.
    /// - Parameters:
    ///   - part: The part.
    ///   - new: Its new value.
    /// - Returns: Its old value. It is released outside the lock, because its end may run user code.
    @discardableResult
    package func exchange<Part>(_ part: WritableKeyPath<State, Part>, _ new: Part) -> Part {
        withLock { state in
            let old = state[keyPath: part]
            state[keyPath: part] = new
            return old
        }
    }
}
