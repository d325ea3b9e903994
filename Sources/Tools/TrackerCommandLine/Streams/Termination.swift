import Foundation

/// Handles the signals by which a terminal or a supervisor stops a process: SIGTERM and SIGINT.
///
/// Create it before anything that must be shut down: a signal during the initialization stops the process.
package struct Termination {
    private let signals: AsyncStream<Int32>

    /// Creates the handlers, and returns when they are installed.
    package init() async {
        // Dispatch aborts if no descriptor is free when the main queue is first used, which may be long after
        // the start of an asynchronous `main`. Use it now, while descriptors are free.
        DispatchQueue.main.async {}
        let (signals, signal) = AsyncStream.makeStream(of: Int32.self)
        self.signals = signals
        // Dispatch's objects are thread-safe, but not marked as Sendable.
        nonisolated(unsafe) let sources = [SIGTERM, SIGINT].map { ($0, DispatchSource.makeSignalSource(signal: $0)) }
        signal.onTermination = { _ in
            for (_, source) in sources { source.cancel() }
        }
        for (number, source) in sources {
            source.setEventHandler { signal.yield(number) }
            // Dispatch installs the handler asynchronously.
            await withCheckedContinuation { isInstalled in
                source.setRegistrationHandler { isInstalled.resume() }
                source.resume()
            }
        }
    }

    /// Waits for a signal.
    /// - Returns: The signal; nil if the task was cancelled.
    @discardableResult
    package func wait() async -> Int32? {
        for await number in signals { return number }
        return nil
    }

    /// Terminates this process by the default action of a signal, so that a shell sees the interruption.
    package static func endProcess(by number: Int32) -> Never {
        signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        exit(128 + number)
    }
}
