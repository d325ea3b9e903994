import TrackerPlatform

/// SIGXFSZ, which the kernel sends to a thread that writes a file beyond the limit of `ulimit -f`.
package enum FileSizeSignal {
    /// Blocks the signal while `body` runs on the calling thread, so that a write fails with `EFBIG` and does not end
    /// the process. The SDK's own threads always block it.
    /// - Parameter body: Writes files.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    package static func blocked<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var (signal, former) = (sigset_t(), sigset_t())
        sigemptyset(&signal)
        sigaddset(&signal, SIGXFSZ)
        pthread_sigmask(SIG_BLOCK, &signal, &former)
        guard sigismember(&former, SIGXFSZ) == 0 else { return try body() }
        defer {
            // A signal that came meanwhile would end the process as soon as it is unblocked.
            var (pending, taken) = (sigset_t(), Int32(0))
            sigpending(&pending)
            if sigismember(&pending, SIGXFSZ) == 1 { sigwait(&signal, &taken) }
            pthread_sigmask(SIG_SETMASK, &former, nil)
        }
        return try body()
    }
}
