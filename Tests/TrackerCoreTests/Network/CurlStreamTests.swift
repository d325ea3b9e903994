import Foundation
import TestSupport
import Testing
import TrackerLoopbackServer

@testable import TrackerCore

@Suite("A body that comes piece by piece", .endsWhenItHangs)
struct CurlStreamTests {
    private let transport = CurlTransport()

    @Test("each piece is handed on when it comes, with the head, and the end is the response")
    func pieces() async throws {
        let goesOn = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { _ in
            .stream(status: 200, headers: [("X-A", "1")]) { writer in
                for piece in ["one", "two", "three"] {
                    writer.write(Array(piece.utf8))
                    goesOn.wait()
                }
            }
        }
        let received = Locked("")
        // The server writes a piece only after the one before was received.
        let response = try await transport.stream(
            HTTPTransportRequest(method: "GET", url: server.url, maxResponseSize: 1)
        ) {
            head, bytes in
            #expect(head.status == 200)
            #expect(head.header("x-a") == "1")
            received.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
            goesOn.signal()
            return true
        }
        #expect(received.withLock { $0 } == "onetwothree")
        #expect(response.status == 200)
        #expect(response.body.isEmpty)
    }

    @Test("a receiver that refuses ends the transfer")
    func refuses() async throws {
        let server = try LoopbackServer { _ in
            .stream(status: 503) { writer in while writer.write(Array(repeating: 0x78, count: 1000)) {} }
        }
        let error = await #expect(throws: HTTPTransportError.self) {
            try await transport.stream(HTTPTransportRequest(method: "GET", url: server.url)) { _, _ in false }
        }
        #expect(error?.status == 503)
        #expect(error?.reason == "the receiver refused the rest of the answer")
    }

    @Test("a stream ends when its task is cancelled, and its error has the status")
    func cancels() async throws {
        let (pieces, piece) = AsyncStream.makeStream(of: Void.self)
        let server = try LoopbackServer { _ in
            .stream(status: 200) { writer in
                writer.write([0x78])
                // Until the client has gone.
                while writer.write([0x78]) {}
            }
        }
        let task = Task { [transport] () -> HTTPTransportError? in
            do throws(HTTPTransportError) {
                _ = try await transport.stream(
                    HTTPTransportRequest(
                        method: "GET", url: server.url, timeout: .seconds(600))
                ) { _, _ in
                    piece.yield()
                    return true
                }
                return nil
            } catch {
                return error
            }
        }
        for await _ in pieces { break }
        task.cancel()
        let error = await task.value
        #expect(error?.code == .cancelled)
        #expect(error?.status == 200, "the head has come: events of such a request are not sent again")
    }
}
