import Foundation

/// The signals by which a terminal or a supervisor stops a process, SIGTERM and SIGINT, handled in place of that.
///
/// Made before there is anything that must be shut down: a signal during the initialization stops the process.
package struct Termination {
    private let signals: AsyncStream<Void>

    /// Returns as soon as no signal can be missed any more.
    package init() async {
        // Dispatch stops a process that has no descriptor free for its main queue when it first needs one, which is some time
        // after the start of an asynchronous `main`. From now on it has it.
        DispatchQueue.main.async {}
        let (signals, signal) = AsyncStream.makeStream(of: Void.self)
        self.signals = signals
        // Dispatch's objects may be used from any thread; the overlay does not say so.
        nonisolated(unsafe) let sources = [SIGTERM, SIGINT].map { DispatchSource.makeSignalSource(signal: $0) }
        signal.onTermination = { _ in
            for source in sources { source.cancel() }
        }
        for source in sources {
            source.setEventHandler { signal.yield() }
            // Dispatch installs its handler some time after it was asked to.
            await withCheckedContinuation { isInstalled in
                source.setRegistrationHandler { isInstalled.resume() }
                source.resume()
            }
        }
    }

    /// Returns as soon as a signal has come.
    package func wait() async {
        for await _ in signals { break }
    }
}
