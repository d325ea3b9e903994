import Foundation
import TrackerLoopbackServer
import TestSupport
import Testing

@Suite("Answers", .endsWhenItHangs, .mayBlock)
struct ServerReplyTests {
    private func ask(
        _ method: String = "GET", of reply: ServerReply
    ) throws -> (server: LoopbackServer, client: RawClient) {
        let server = try LoopbackServer { _ in reply }
        let client = try RawClient(port: server.port)
        try client.send("\(method) / HTTP/1.1\r\n\r\n")
        return (server, client)
    }

    @Test("sends status, fields and body with their length, once")
    func response() throws {
        let reply = ServerReply.response(
            status: 503, headers: [("Retry-After", "7"), ("content-length", "99")], body: Array("later".utf8))
        let (server, client) = try ask(of: reply)
        let expected = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7\r\nContent-Length: 5\r\n\r\nlater"
        #expect(String(decoding: try client.read(expected.utf8.count), as: UTF8.self) == expected)
        try client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(try client.readAnswer().status == 503)
        server.stop()
        #expect(try client.readToEnd() == [])
    }

    @Test("sends a body of megabytes whole")
    func largeBody() throws {
        let body = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let (server, client) = try ask(of: .response(status: 200, body: body))
        #expect(try client.readAnswer().body == body)
        withExtendedLifetime(server) {}
    }

    @Test("tells HEAD the length that GET would give, and sends no body")
    func head() throws {
        let (server, client) = try ask("HEAD", of: .response(status: 200, body: Array("hello".utf8)))
        let answer = try client.readAnswer(hasBody: false)
        #expect(answer.headers["content-length"] == "5")
        server.stop()
        #expect(try client.readToEnd() == [])
    }

    @Test("sends neither body nor length with 204 and 304", arguments: [204, 304])
    func bodyless(status: Int) throws {
        let (server, client) = try ask(of: .response(status: status, body: Array("hello".utf8)))
        let answer = try client.readAnswer()
        #expect(answer.status == status)
        #expect(answer.headers["content-length"] == nil)
        server.stop()
        #expect(try client.readToEnd() == [])
    }

    @Test("closes after an answer that says so, though the client would go on")
    func closes() throws {
        let (server, client) = try ask(of: .response(status: 200, body: Array("bye".utf8), closes: true))
        let answer = try client.readAnswer()
        #expect(answer.headers["connection"] == "close")
        #expect(answer.text == "bye")
        #expect(try client.readToEnd() == [])
        withExtendedLifetime(server) {}
    }

    @Test("drop closes without a byte")
    func drop() throws {
        let (server, client) = try ask(of: .drop)
        #expect(try client.readToEnd() == [])
        withExtendedLifetime(server) {}
    }

    @Test("raw sends the bytes as they are, then closes")
    func raw() throws {
        let bytes = Array("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\ncut".utf8)
        let (server, client) = try ask(of: .raw(bytes))
        #expect(try client.readToEnd() == bytes)
        withExtendedLifetime(server) {}
    }

    @Test("a client that has sent more than was read still gets the whole answer", arguments: [true, false])
    func unreadBytes(raw: Bool) throws {
        let body = [UInt8](repeating: 0x61, count: 1_000_000)
        let server = try LoopbackServer { _ in raw ? .raw(body) : .response(status: 200, body: body, closes: true) }
        let client = try RawClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\n\r\n" + String(repeating: "unread ", count: 20_000))
        #expect(try client.readToEnd().suffix(1_000_000) == body[...])
    }

    @Test("a stream sends pieces as they are written, and closes at its end")
    func stream() throws {
        let next = DispatchSemaphore(value: 0)
        let (server, client) = try ask(
            of: .stream(status: 200, headers: [("Content-Type", "text/plain")]) { writer in
                writer.write(Array("one ".utf8))
                guard next.isSignalled else { return }
                writer.write(Array("two".utf8))
            })
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
        #expect(String(decoding: try client.read(head.utf8.count), as: UTF8.self) == head)
        #expect(try client.read(4) == Array("one ".utf8))
        next.signal()
        #expect(try client.readToEnd() == Array("two".utf8))
        withExtendedLifetime(server) {}
    }

    @Test("a stream to HEAD is only a head")
    func streamToHead() throws {
        let (server, client) = try ask("HEAD", of: .stream(status: 200) { $0.write(Array("body".utf8)) })
        _ = try client.readAnswer(hasBody: false)
        #expect(try client.readToEnd() == [])
        withExtendedLifetime(server) {}
    }

    @Test("an endless stream stops when the client goes")
    func streamToNobody() throws {
        let ended = DispatchSemaphore(value: 0)
        let (server, client) = try ask(of: endlessStream(ended))
        _ = try client.read(1_000_000)
        client.close()
        #expect(ended.isSignalled)
        withExtendedLifetime(server) {}
    }

    @Test("an endless stream stops when the server does, though the client does not read")
    func streamStopped() throws {
        let ended = DispatchSemaphore(value: 0)
        let (server, client) = try ask(of: endlessStream(ended))
        _ = try client.read(1_000)
        server.stop()
        #expect(ended.isSignalled)
        withExtendedLifetime(client) {}
    }

    @Test("a stream that waits notices at once when the client goes or the server stops", arguments: [true, false])
    func streamWaits(clientGoes: Bool) throws {
        let ended = DispatchSemaphore(value: 0)
        let (server, client) = try ask(
            of: .stream(status: 200) { writer in
                guard writer.staysOpen(for: .milliseconds(1)) else { return }
                writer.write(Array("open".utf8))
                if !writer.staysOpen(for: .seconds(3600)) { ended.signal() }
            })
        let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nopen"
        #expect(String(decoding: try client.read(head.utf8.count), as: UTF8.self) == head)
        // What it sends is none of a reason.
        try client.send("GET / HTTP/1.1\r\n")
        if clientGoes { client.close() } else { server.stop() }
        #expect(ended.isSignalled)
        withExtendedLifetime(server) {}
    }

    private func endlessStream(_ ended: DispatchSemaphore) -> ServerReply {
        .stream(status: 200) { writer in
            let piece = [UInt8](repeating: 0x20, count: 10_000)
            while writer.write(piece) {}
            ended.signal()
        }
    }
}
