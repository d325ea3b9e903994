package import Foundation

/// A child that is forked without `exec`, as prefork servers do; Swift hides `fork`.
///
/// In a process of its own only, where the child does more than look: what other threads have locked at the fork, in Swift's
/// runtime too, stays locked in the child.
package enum ForkedChild {
    /// Forks. A child that hangs is ended.
    /// - Returns: The child; 0 in the child itself.
    package static func start() -> pid_t {
        let symbol = dlsym(nil, "fork")
        let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
        let child = fork()
        if child == 0 {
            // Threads of the pool block all signals.
            var signals = sigset_t()
            sigemptyset(&signals)
            pthread_sigmask(SIG_SETMASK, &signals, nil)
            alarm(60)
        }
        return child
    }

    /// Ends the child.
    package static func end(_ isRight: Bool) -> Never {
        _exit(isRight ? 42 : 1)
    }

    /// Waits for the child's end.
    /// - Returns: Whether the child ended itself, and found everything right.
    package static func wasRight(_ child: pid_t) -> Bool {
        var status: Int32 = 0
        return waitpid(child, &status, 0) == child && status & 0x7F == 0 && (status >> 8) & 0xFF == 42
    }
}
