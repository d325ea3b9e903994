import Glibc
import TrackerThreads

/// Wakes a thread that polls descriptors. Signals that come before it polls are kept, as one.
///
/// It has a descriptor of its own, because a process may have none free at the start: libcurl's multi handles have a
/// descriptor for this too, but make it only once, and a handle without one is never woken.
final class PollSignal: Sendable {
    private let descriptor = Locked<Int32?>(nil)

    deinit {
        if let descriptor = descriptor.withLock({ $0 }) { close(descriptor) }
    }

    /// Makes the descriptor unless it is there. Only the thread that polls calls this.
    /// - Returns: The descriptor; nil while the process has none free. Signals are lost until then.
    func prepare() -> Int32? {
        if let descriptor = descriptor.withLock({ $0 }) { return descriptor }
        let new = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard new >= 0 else { return nil }
        descriptor.exchange(new)
        return new
    }

    /// Makes the descriptor readable.
    func send() {
        guard let descriptor = descriptor.withLock({ $0 }) else { return }
        // A full counter has a signal. The kernel documents no other failure that could pass; a lost signal would delay a
        // request by a minute, so that one is not taken for the last word.
        for _ in 0..<100 where eventfd_write(descriptor, 1) == 0 || errno == EAGAIN { return }
    }

    /// Takes the signals that came.
    func clear() {
        guard let descriptor = descriptor.withLock({ $0 }) else { return }
        var count: UInt64 = 0
        eventfd_read(descriptor, &count)
    }
}
