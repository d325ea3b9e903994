import Dispatch
import TrackerPlatform

/// A value that only one thread at a time can access.
///
/// Backed by a mutex of pthreads: ThreadSanitizer reports false races for `Synchronization.Mutex` on Linux.
/// Never call user code, do I/O or yield inside ``withLock(_:)``.
package final class Locked<State>: @unchecked Sendable {
    // Outside the object's storage, because a mutex must not move.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    // Behind a pointer, because the mutex already makes accesses exclusive, and Swift would check each of them again.
    // Right after the mutex, because a thread that has taken the lock has loaded this cache line.
    private let state: UnsafeMutablePointer<State>

    // Two cache lines, which some processors load together: threads that use different locks must not share one.
    private static var alignment: Int { max(128, MemoryLayout<State>.alignment) }

    /// Wraps a value.
    package init(_ state: sending State) {
        let offset = MemoryLayout<pthread_mutex_t>.size.rounded(up: MemoryLayout<State>.alignment)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: (offset + MemoryLayout<State>.size).rounded(up: Self.alignment), alignment: Self.alignment)
        let mutex = memory.bindMemory(to: pthread_mutex_t.self, capacity: 1)
        self.mutex = mutex
        withUnsafeTemporaryAllocation(of: pthread_mutexattr_t.self, capacity: 1) { space in
            let attributes = space.baseAddress!
            pthread_mutexattr_init(attributes)
            // Critical sections are shorter than a context switch, so a thread spins for some microseconds before it
            // sleeps.
            pthread_mutexattr_settype(attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
            pthread_mutex_init(mutex, attributes)
            pthread_mutexattr_destroy(attributes)
        }
        self.state = (memory + offset).bindMemory(to: State.self, capacity: 1)
        self.state.initialize(to: state)
    }

    deinit {
        state.deinitialize(count: 1)
        pthread_mutex_destroy(mutex)
        UnsafeMutableRawPointer(mutex).deallocate()
    }

    /// Runs `body` with exclusive access to the value.
    @inline(__always)
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state.pointee)
    }

    /// Runs `body` with exclusive access until it returns a result; waits for a signal while it returns nil.
    /// - Parameters:
    ///   - condition: The condition; signalled under the lock, after each change that may give `body` a result.
    ///   - deadline: Returns the time to run `body` again without a signal, after each run; nil for never.
    ///   - body: Returns a result, or nil to wait.
    /// - Returns: The first result of `body`.
    func withLock<Result>(
        waitingFor condition: MonotonicCondition, until deadline: (State) -> DispatchTime?,
        _ body: (inout State) -> Result?
    ) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state.pointee) { return result }
            condition.wait(mutex, until: deadline(state.pointee))
        }
    }

    /// Changes the value and releases its former contents outside the lock, because their deinit may run user code.
    /// - Parameter body: Runs with exclusive access to the value, and returns the contents to release.
    package func discard<Discarded>(_ body: (inout State) -> Discarded) {
        withExtendedLifetime(withLock(body)) {}
    }
}

extension Locked where State: Sendable {
    /// Replaces the value.
    /// - Parameter new: The new value.
    /// - Returns: The old value. It is released outside the lock, because its deinit may run user code.
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
    /// - Returns: Its old value. It is released outside the lock, because its deinit may run user code.
    @discardableResult
    package func exchange<Part>(_ part: WritableKeyPath<State, Part>, _ new: Part) -> Part {
        withLock { state in
            let old = state[keyPath: part]
            state[keyPath: part] = new
            return old
        }
    }
}

extension Int {
    /// The next multiple of a power of two.
    fileprivate func rounded(up alignment: Int) -> Int { (self + alignment - 1) & ~(alignment - 1) }
}
