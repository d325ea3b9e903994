import Dispatch
import TrackerPlatform
import TrackerThreads

/// The condition for threads that find nothing to do in a ``Locked`` value.
///
/// `DispatchSemaphore` counts its timeouts by the wall clock on Linux: after a step back by an hour, a wait of 2 ms
/// takes an hour.
final class MonotonicCondition: Sendable {
    // Outside the object's storage, because a condition must not move. The calls are safe from any thread.
    nonisolated(unsafe) private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        withUnsafeTemporaryAllocation(of: pthread_condattr_t.self, capacity: 1) { space in
            guard let attributes = space.baseAddress else { return }
            pthread_condattr_init(attributes)
            pthread_condattr_setclock(attributes, CLOCK_MONOTONIC)
            pthread_cond_init(condition, attributes)
            pthread_condattr_destroy(attributes)
        }
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Wakes a waiting thread. Call it with the lock, so that no signal is lost between a thread's check and its wait.
    func signal() {
        pthread_cond_signal(condition)
    }

    /// Releases the mutex until a signal or the deadline; may also return spuriously.
    func wait(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, until deadline: DispatchTime?) {
        guard let deadline else {
            pthread_cond_wait(condition, mutex)
            return
        }
        // A `DispatchTime` is a time of the monotonic clock; only `DispatchSemaphore` converts it.
        _ = cthreads_wait_until(condition, mutex, deadline.uptimeNanoseconds)
    }
}
