import Dispatch
import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerLoopbackServer

@Suite("Answers", .endsWhenItHangs, .mayBlock)
struct ServerReplyTests {
    private let reply: Locked<ServerReply>
    private let server: LoopbackServer

    init() throws {
        let reply = Locked(ServerReply.drop)
        self.reply = reply
        server = try LoopbackServer { _ in reply.withLock { $0 } }
    }

    private func ask(_ method: String = "GET", of reply: ServerReply, more: String = "") throws -> RawClient {
        self.reply.exchange(reply)
        let client = try RawClient(port: server.port)
        try client.send("\(method) / HTTP/1.1\r\n\r\n\(more)")
        return client
    }

    @Test("sends status, fields and body with their length, once")
    func response() throws {
        let reply = ServerReply.response(
            status: 503, headers: [("Retry-After", "7"), ("content-length", "99")], body: Array("later".utf8))
        let client = try ask(of: reply)
        let expected = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7\r\nContent-Length: 5\r\n\r\nlater"
        #expect(String(decoding: try client.read(expected.utf8.count), as: UTF8.self) == expected)
        try client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(try client.readAnswer().status == 503)
        server.stop()
        #expect(try client.readToEnd() == [])
    }

    @Test(
        "sends no body to HEAD, to which it tells the length, nor with 204 and 304",
        arguments: [("HEAD", 200, "5"), ("GET", 204, nil), ("GET", 304, nil)])
    func bodyless(method: String, status: Int, length: String?) throws {
        let client = try ask(method, of: .response(status: status, body: Array("hello".utf8)))
        let answer = try client.readAnswer(hasBody: false)
        #expect(answer.status == status)
        #expect(answer.headers["content-length"] == length)
        server.stop()
        #expect(try client.readToEnd() == [])
    }

    @Test("drop closes without a byte, and raw after the bytes as they are")
    func dropAndRaw() throws {
        #expect(try ask(of: .drop).readToEnd() == [])
        let bytes = Array("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\ncut".utf8)
        #expect(try ask(of: .raw(bytes)).readToEnd() == bytes)
    }

    @Test("a stream sends pieces as they are written, and closes at its end")
    func stream() throws {
        let next = DispatchSemaphore(value: 0)
        let client = try ask(
            of: .stream(status: 200, headers: [("Content-Type", "text/plain")]) { writer in
                writer.write(Array("one ".utf8))
                next.wait()
                writer.write(Array("two".utf8))
            })
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
        #expect(String(decoding: try client.read(head.utf8.count), as: UTF8.self) == head)
        #expect(try client.read(4) == Array("one ".utf8))
        next.signal()
        #expect(try client.readToEnd() == Array("two".utf8))
    }

    @Test("an endless stream stops when the client goes")
    func streamToNobody() throws {
        let ended = DispatchSemaphore(value: 0)
        let client = try ask(of: endlessStream(ended))
        _ = try client.read(1_000_000)
        client.close()
        try ended.wait(until: "the stream has stopped")
    }

    @Test("a stream that waits notices at once when the client goes or the server stops", arguments: [true, false])
    func streamWaits(clientGoes: Bool) throws {
        let ended = DispatchSemaphore(value: 0)
        let client = try ask(
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
        try ended.wait(until: "the stream has stopped")
    }

    private func endlessStream(_ ended: DispatchSemaphore) -> ServerReply {
        .stream(status: 200) { writer in
            let piece = [UInt8](repeating: 0x20, count: 10_000)
            while writer.write(piece) {}
            ended.signal()
        }
    }
}
