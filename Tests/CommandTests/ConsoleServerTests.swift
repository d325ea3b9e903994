import Dispatch
import Foundation
import TestSupport
import Testing
import TrackerConsole
import TrackerCore
import TrackerLoopbackServer

@testable import TrackerCommandLine

@Suite("The commands' console server", .endsWhenItHangs, .mayBlock)
struct ConsoleServerTests {
    @Test("clients that do not read their stream block no thread of Swift's pool")
    func slowReaders() throws {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let asked = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { _ in
            let stream = AsyncStream<[UInt8]> {
                asked.signal()
                // More than the buffers of a connection hold.
                return Array(repeating: 0, count: 32 << 20)
            }
            return ConsoleServer.reply(ConsoleResponse(status: 200, body: .stream(stream)))
        }
        let clients = try (0..<processors + 2).map { _ in try RawClient(port: server.port) }
        for client in clients { try client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n") }
        for _ in 0..<processors { #expect(asked.wait(timeout: .now() + 60) == .success) }
        // One after the other, because a client may be on its way to its first write.
        let hasRun = (0..<100).allSatisfy { _ in
            let ran = DispatchSemaphore(value: 0)
            Task.detached { ran.signal() }
            return ran.wait(timeout: .now() + 60) == .success
        }
        for client in clients { client.close() }
        #expect(hasRun)
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
