import Foundation
import TrackerCommandLine

/// Input line by line, read on a thread of its own because reading blocks.
enum LineInput {
    /// The lines of standard input until its end or a signal to terminate.
    static func lines(until termination: Termination) -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        Task {
            await termination.wait()
            continuation.finish()
        }
        Thread { read(STDIN_FILENO, into: continuation) }.start()
        return stream
    }

    /// The lines of a descriptor, which is closed at its end.
    static func lines(closing descriptor: Int32) -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        Thread {
            read(descriptor, into: continuation)
            close(descriptor)
        }.start()
        return stream
    }

    private static func read(_ descriptor: Int32, into continuation: AsyncStream<[UInt8]>.Continuation) {
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
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
}
