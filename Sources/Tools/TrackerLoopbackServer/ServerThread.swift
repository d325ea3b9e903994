import TrackerPlatform

/// A thread of the server, for blocking work that must not run on Swift's cooperative pool.
///
/// Exactly one of ``join()`` and ``detach()`` must be called.
struct ServerThread: Sendable {
    private let handle: pthread_t

    /// Starts a thread for the server at `port`; throws a ``ServerError`` if the system cannot create one.
    init(port: UInt16, _ body: @escaping @Sendable () -> Void) throws(ServerError) {
        let work = Unmanaged.passRetained(Work(run: body))
        var handle = pthread_t()
        // Not `pthread_attr_t()`, because Swift would require an import of CDispatch for that initializer.
        let failure = withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { space in
            guard let attributes = space.baseAddress else { return ENOMEM }
            pthread_attr_init(attributes)
            defer { pthread_attr_destroy(attributes) }
            pthread_attr_setstacksize(attributes, Self.stackSize)
            return pthread_create(
                &handle,
                attributes,
                { work in
                    if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run() }
                    return nil
                },
                work.toOpaque()
            )
        }
        guard failure == 0 else {
            work.release()
            throw ServerError(.startThread, port: port, errorNumber: failure)
        }
        self.handle = handle
    }

    /// Waits for the end of the thread.
    func join() {
        pthread_join(handle, nil)
    }

    /// Detaches the thread, so that it releases its resources when it ends.
    func detach() {
        pthread_detach(handle)
    }

    /// Twice the stack that Foundation needs for the deepest JSON (512 levels); memory is allocated only when it is
    /// used.
    private static let stackSize = 2 * 1024 * 1024

    private final class Work: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
