import Foundation

/// The signals by which a terminal or a supervisor stops a process, SIGTERM and SIGINT, handled in place of that.
///
/// Made before there is anything that must be shut down: a signal during the initialization stops the process.
package struct Termination {
    private let signals: AsyncStream<Int32>

    /// Returns as soon as no signal can be missed any more.
    package init() async {
        // Dispatch stops a process that has no descriptor free for its main queue when it first needs one, which is some time
        // after the start of an asynchronous `main`. From now on it has it.
        DispatchQueue.main.async {}
        let (signals, signal) = AsyncStream.makeStream(of: Int32.self)
        self.signals = signals
        // Dispatch's objects may be used from any thread; the overlay does not say so.
        nonisolated(unsafe) let sources = [SIGTERM, SIGINT].map { ($0, DispatchSource.makeSignalSource(signal: $0)) }
        signal.onTermination = { _ in
            for (_, source) in sources { source.cancel() }
        }
        for (number, source) in sources {
            source.setEventHandler { signal.yield(number) }
            // Dispatch installs its handler some time after it was asked to.
            await withCheckedContinuation { isInstalled in
                source.setRegistrationHandler { isInstalled.resume() }
                source.resume()
            }
        }
    }

    /// Returns as soon as a signal has come.
    /// - Returns: The signal; nil if the task was cancelled.
    @discardableResult
    package func wait() async -> Int32? {
        for await number in signals { return number }
        return nil
    }

    /// Stops this process as a signal does by default, so that a shell sees that it was interrupted.
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
