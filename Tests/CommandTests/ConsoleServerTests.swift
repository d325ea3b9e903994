import Dispatch
import Foundation
import TestSupport
import Testing
import TrackerCommandLine
import TrackerConsole
import TrackerCore
import TrackerLoopbackServer

@Suite("The commands' console server", .endsWhenItHangs, .mayBlock)
struct ConsoleServerTests {
    @Test("clients that do not read their stream block no thread of Swift's pool")
    func slowReaders() throws {
        // More than the buffers of a connection hold, so that a write of it blocks.
        let piece = [UInt8](repeating: 0, count: 32 << 20)
        let asked = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { _ in
            let stream = AsyncStream<[UInt8]> {
                asked.signal()
                return piece
            }
            return ConsoleServer.reply(ConsoleResponse(status: 200, body: .stream(stream)))
        }
        // The pool has a thread for each processor. If each waits for a client, none asks the streams of the others.
        let clients = try (0..<ProcessInfo.processInfo.activeProcessorCount + 2).map { _ in
            let client = try RawClient(port: server.port)
            try client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
            return client
        }
        for _ in clients { try asked.wait(until: "the stream of each client is asked for a piece") }
        for client in clients { client.close() }
    }

    @Test("a stream arrives piece by piece, and ends with its source")
    func streams() throws {
        let server = try LoopbackServer { _ in
            let stream = AsyncStream<[UInt8]> { continuation in
                for piece in ["one ", "two ", "three"] { continuation.yield(Array(piece.utf8)) }
                continuation.finish()
            }
            return ConsoleServer.reply(ConsoleResponse(status: 200, body: .stream(stream)))
        }
        let client = try RawClient(port: server.port)
        try client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readAnswer().text == "one two three")
    }
}
