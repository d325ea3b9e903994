import Glibc

/// A value that only one thread at a time can reach.
///
/// Backed by a mutex of pthreads: ThreadSanitizer reports false races for `Synchronization.Mutex` on Linux.
/// Never call user code, do I/O or yield inside ``withLock(_:)``.
package final class Locked<State>: @unchecked Sendable {
    // In memory of its own, because a mutex must not move.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    // Behind a pointer, because the mutex is what keeps accesses apart, and Swift would check each of them again.
    private let state: UnsafeMutablePointer<State>

    /// Wraps a value.
    package init(_ state: sending State) {
        mutex = .allocate(capacity: 1)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        // What is done in locks is shorter than a sleep: a thread that finds one taken tries again some times before.
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
        self.state = .allocate(capacity: 1)
        self.state.initialize(to: state)
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the value, alone.
    @inline(__always)
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state.pointee)
    }

    /// Runs `body` with the value unless another thread has the lock; never waits.
    /// - Parameter body: What to run.
    /// - Returns: What `body` returns; nil if the lock is taken.
    package func withLockIfFree<Result>(_ body: (inout State) -> Result) -> Result? {
        guard pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { pthread_mutex_unlock(mutex) }
        return body(&state.pointee)
    }

    /// Changes the value and releases what was in it outside the lock, because its end may run user code.
    /// - Parameter body: Runs with the value, alone, and returns what to release.
    package func discard<Discarded>(_ body: (inout State) -> Discarded) {
        withExtendedLifetime(withLock(body)) {}
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
