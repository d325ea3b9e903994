import Foundation
import TrackerCommandLine

/// Standard input line by line, read on a thread of its own because reading blocks.
enum LineInput {
    /// The lines until the end of the input or a signal to terminate.
    static func lines(until termination: Termination) -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        Task {
            await termination.wait()
            continuation.finish()
        }
        let reader = Thread {
            var rest: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(0, &buffer, buffer.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { break }
                rest += buffer[..<count]
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(Array(rest[..<end]))
                    rest.removeSubrange(...end)
                }
            }
            if !rest.isEmpty { continuation.yield(rest) }
            continuation.finish()
        }
        reader.start()
        return stream
    }
}
