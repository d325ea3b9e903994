import Foundation
import TrackerCommandLine

/// Standard input by lines, read on its own thread because reading blocks.
enum LineInput {
    /// The lines of standard input until its end or a termination signal.
    static func lines(until termination: Termination) -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        Task {
            await termination.wait()
            continuation.finish()
        }
        Thread {
            let input = fdopen(STDIN_FILENO, "r")
            var line: UnsafeMutablePointer<CChar>?
            var size = 0
            while let input, case let count = getline(&line, &size, input), count > 0 {
                continuation.yield(Array(UnsafeRawBufferPointer(start: line, count: count)))
            }
            continuation.finish()
        }.start()
        return stream
    }
}
