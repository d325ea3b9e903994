import IntegrationsPlatform
import TrackerHiredis

/// Threads for blocking calls of hiredis, which must not run on Swift's shared thread pool.
enum RedisThread {
    /// A closure in a form that C can pass to a thread.
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Runs a closure on a new thread.
    /// - Returns: Whether the thread could be created.
    static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        let body = Unmanaged.passRetained(Body(run))
        let status = pthread_create(
            &thread, nil,
            { argument in
                // hiredis writes without MSG_NOSIGNAL, so a closed connection would end the process.
                var signals = sigset_t()
                sigfillset(&signals)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                pthread_setname_np(pthread_self(), "tracker-redis")
                Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
                return nil
            }, body.toOpaque())
        guard status == 0 else {
            body.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
