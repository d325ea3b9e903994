import Foundation

/// The signals by which a terminal or a supervisor ends a process.
enum Termination {
    /// An element for each SIGTERM and SIGINT from now on, in place of the end of the process.
    static func signals() -> AsyncStream<Int32> {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        // Dispatch's objects may be used from any thread; the overlay does not say so.
        nonisolated(unsafe) let sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { continuation.yield(number) }
            source.resume()
            return source
        }
        continuation.onTermination = { _ in
            for source in sources { source.cancel() }
        }
        return stream
    }
}
