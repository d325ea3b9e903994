import Dispatch
import Glibc

/// SIGHUP, by which administrators ask a process to read its configuration again.
final class HangupSignal: Sendable {
    // Dispatch's objects may be used from any thread; the overlay does not say so.
    nonisolated(unsafe) private let source: any DispatchSourceSignal

    /// Calls an action for each signal from now on, in place of the end of the process.
    init(_ action: @escaping @Sendable () -> Void) {
        signal(SIGHUP, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGHUP)
        source.setEventHandler(handler: action)
        source.resume()
    }

    deinit {
        source.cancel()
    }
}
