import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerLoopbackServer

@Suite("A body that comes piece by piece", .endsWhenItHangs)
struct CurlStreamTests {
    private let transport = CurlTransport()

    @Test("each piece is handed on when it comes, with the head, which comes first, and the end is the response")
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
            received.withLock { $0 += "[\(String(decoding: bytes, as: UTF8.self))]" }
            if !bytes.isEmpty { goesOn.signal() }
            return true
        }
        #expect(received.withLock { $0 } == "[][one][two][three]")
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

    @Test("the head is handed on before any byte of the body, once, and after interim heads")
    func head() async throws {
        let text = "HTTP/1.1 103 Early\r\nX-B: 2\r\n\r\nHTTP/1.1 204 None\r\nX-A: 1\r\n\r\n"
        let server = try LoopbackServer { _ in .raw(Array(text.utf8)) }
        let received = Locked<[String]>([])
        _ = try await transport.stream(HTTPTransportRequest(method: "GET", url: server.url)) { head, bytes in
            received.withLock { $0.append("\(head.status) \(head.headers.map(\.name)) \(bytes)") }
            return true
        }
        #expect(received.withLock { $0 } == [#"204 ["X-A"] []"#])
    }

    @Test("streams take no connection of requests, to one server or in all, nor a reused one")
    func ownConnections() async throws {
        let gone = DispatchSemaphore(value: 0)
        let connections = Locked<[Int]>([])
        let server = try LoopbackServer { request in
            connections.withLock { $0.append(request.connection) }
            guard request.path == "/stream" else { return .response(status: 200) }
            return .stream(status: 200) { _ in gone.wait() }
        }
        // However slow the machine is, no connection is too old to be reused.
        let transport = CurlTransport(
            threadName: "tracker-http", maxConnections: 1, maxConnectionsPerHost: 1, maxIdleTime: .seconds(86_400))
        let request = HTTPTransportRequest(method: "GET", url: server.url, timeout: .seconds(240))
        #expect(try await transport.send(request).status == 200)
        let (heads, head) = AsyncStream.makeStream(of: Void.self)
        let streams = (0..<20).map { _ in
            Task {
                var request = request
                request.url += "/stream"
                _ = try await transport.stream(request) { _, _ in
                    head.yield()
                    return true
                }
            }
        }
        for await _ in heads.prefix(20) {}
        for _ in 0..<3 { #expect(try await transport.send(request).status == 200) }
        for stream in streams { stream.cancel() }
        for _ in streams { gone.signal() }
        for stream in streams { _ = await stream.result }
        #expect(try await transport.send(request).status == 200)
        #expect(Set(connections.withLock { $0 }).count == 21)
    }

    @Test("a stream asks for no compression, and is decompressed all the same")
    func compression() async throws {
        let accepted = Locked("")
        let body = try #require(Gzip.compress(Array("data: 1\n\n".utf8)))
        let server = try LoopbackServer { request in
            accepted.withLock { $0 = request.header("Accept-Encoding") ?? "" }
            return .stream(status: 200, headers: [("Content-Encoding", "gzip")]) { $0.write(body) }
        }
        let received = Locked("")
        _ = try await transport.stream(HTTPTransportRequest(method: "GET", url: server.url)) { _, bytes in
            received.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
            return true
        }
        #expect((accepted.withLock { $0 }, received.withLock { $0 }) == ("identity", "data: 1\n\n"))
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
