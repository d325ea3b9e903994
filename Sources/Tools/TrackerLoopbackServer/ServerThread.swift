import TrackerPlatform

/// A thread of the server's own: its work blocks, which Swift's cooperative pool must not.
///
/// A handle is given to exactly one of ``join()`` and ``detach()``.
struct ServerThread: Sendable {
    private let handle: pthread_t

    /// Starts a thread for the server at `port`; throws a ``ServerError`` where the system gives none.
    init(port: UInt16, _ body: @escaping @Sendable () -> Void) throws(ServerError) {
        let work = Unmanaged.passRetained(Work(run: body))
        var handle = pthread_t()
        // Not `pthread_attr_t()`: Swift would have that initializer imported from CDispatch.
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

    /// Lets the thread run on by itself.
    func detach() {
        pthread_detach(handle)
    }

    /// Twice what Foundation needs for the deepest JSON it reads (512 levels); memory is used only as it is touched.
    private static let stackSize = 2 * 1024 * 1024

    private final class Work: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
