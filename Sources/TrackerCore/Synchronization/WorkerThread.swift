import Dispatch
import TrackerPlatform
import TrackerThreads

/// Threads for blocking work, which must not run in Swift's cooperative pool.
package enum WorkerThread {
    private static let stackSize = 1 << 20

    /// Runs work on a new thread, which ends with it.
    ///
    /// If the system cannot create a thread, the work runs on a thread of Dispatch, as soon as one is free.
    /// - Parameters:
    ///   - name: The thread's name, as a debugger shows it; Linux keeps at most 15 bytes.
    ///   - work: The work.
    package static func start(name: String, _ work: @escaping @Sendable () -> Void) {
        let prepared: @Sendable () -> Void = {
            prepare(name: name)
            work()
        }
        if !startThread(prepared) { DispatchQueue.global().async(execute: prepared) }
    }

    private static func startThread(_ work: @escaping @Sendable () -> Void) -> Bool {
        let box = Unmanaged.passRetained(Box(work: work))
        // Not `pthread_attr_t()`: Swift would have that initializer imported from CDispatch.
        let failure = withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { space in
            guard let attributes = space.baseAddress else { return ENOMEM }
            pthread_attr_init(attributes)
            defer { pthread_attr_destroy(attributes) }
            pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
            pthread_attr_setstacksize(attributes, stackSize)
            var thread = pthread_t()
            return pthread_create(
                &thread,
                attributes,
                { box in
                    if let box { Unmanaged<Box>.fromOpaque(box).takeRetainedValue().work() }
                    return nil
                },
                box.toOpaque()
            )
        }
        if failure != 0 { box.release() }
        return failure == 0
    }

    private final class Box: Sendable {
        let work: @Sendable () -> Void

        init(work: @escaping @Sendable () -> Void) {
            self.work = work
        }
    }

    /// Names the current thread, and blocks the signals that are meant for the process: the service's own threads
    /// handle them, and a broken pipe in a TLS library does not end the process.
    ///
    /// Signals that report a fault of the thread itself stay unblocked: if they were blocked, the kernel would end the
    /// process without running its handlers, and no backtrace would be printed.
    private static func prepare(name: String) {
        var blocked = sigset_t()
        sigfillset(&blocked)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS] { sigdelset(&blocked, fault) }
        pthread_sigmask(SIG_SETMASK, &blocked, nil)
        pthread_setname_np(pthread_self(), String(decoding: name.utf8.prefix(15), as: UTF8.self))
    }
}
