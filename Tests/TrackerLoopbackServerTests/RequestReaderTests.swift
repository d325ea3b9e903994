import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerLoopbackServer

@Suite("Reading requests", .endsWhenItHangs, .mayBlock)
struct RequestReaderTests {
    /// A server that answers with what it understood.
    private let echo = Result {
        try LoopbackServer { request in
            let text = "\(request.connection) \(request.method) \(request.path) "
            return .response(status: 200, body: Array(text.utf8) + request.body)
        }
    }

    private func connect() throws -> RawClient {
        try RawClient(port: echo.get().port)
    }

    @Test("answers one request after the other on a connection, in one piece and byte by byte")
    func requests() throws {
        let client = try connect()
        let requests = [
            ("GET /a HTTP/1.1\r\nHost: x\r\n\r\n", "1 GET /a "),
            ("POST /b HTTP/1.1\r\nContent-Length: 3\r\n\r\none", "1 POST /b one"),
        ]
        try client.send(requests.map(\.0).joined())
        for (_, text) in requests { #expect(try client.readAnswer().text == text) }
        for (bytes, text) in requests {
            for byte in bytes.utf8 { try client.send([byte]) }
            let answer = try client.readAnswer()
            #expect(answer.text == text)
            #expect(answer.headers["connection"] == nil)
        }
    }

    @Test(
        "closes after the answer where the client wants that",
        arguments: ["HTTP/1.1\r\nConnection: keep-alive, Close", "HTTP/1.0"])
    func close(version: String) throws {
        let client = try connect()
        try client.send("GET /a \(version)\r\n\r\n")
        let answer = try client.readAnswer()
        #expect(answer.text == "1 GET /a ")
        #expect(answer.headers["connection"] == "close")
        #expect(try client.readToEnd() == [])
    }

    @Test("takes a head of 64 KB and refuses a larger one with 431")
    func headLimit() throws {
        let client = try connect()
        let start = "GET /a HTTP/1.1\r\nX: "
        let filler = String(repeating: "x", count: 65_536 - start.utf8.count - 4)
        try client.send("\(start)\(filler)\r\n\r\n")
        #expect(try client.readAnswer().status == 200)
        try client.send("\(start)\(filler)x\r\n\r\n")
        try expectRefusal(of: client, 431)
    }

    @Test(
        "refuses a body of more than 64 MB with 413, before it comes",
        arguments: [
            "Content-Length: 67108865\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n",
        ])
    func bodyLimit(rest: String) throws {
        let client = try connect()
        try client.send("POST /a HTTP/1.1\r\n\(rest)")
        try expectRefusal(of: client, 413)
    }

    @Test(
        "refuses what is no HTTP",
        arguments: [
            ("hello\r\n\r\n", 400),
            ("GET /a\r\n\r\n", 400),
            ("GET  /a HTTP/1.1\r\n\r\n", 400),
            ("G(T /a HTTP/1.1\r\n\r\n", 400),
            ("GET /a HTTP/1.1\r\nnocolon\r\n\r\n", 400),
            ("GET /a HTTP/1.1\r\nno colon\r\n\r\n", 400),
            ("GET /a HTTP/1.1\r\nName : x\r\n\r\n", 400),
            ("GET /a HTTP/1.1\r\nA: b\r\n folded\r\n\r\n", 400),
            ("GET /a HTTP/1.1\r\nA: \u{0}\r\n\r\n", 400),
            ("GET /a HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
            ("GET /a HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
            ("GET /a HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("GET /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("GET /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
            ("GET /a HTTP/2.0\r\n\r\n", 505),
        ])
    func malformed(bytes: String, status: Int) throws {
        let client = try connect()
        try client.send(bytes)
        try expectRefusal(of: client, status)
    }

    @Test("a client that goes in the middle of a body brings no request")
    func goneInBody() throws {
        let seen = Locked<[String]>([])
        let server = try LoopbackServer { request in
            seen.withLock { $0.append(request.path) }
            return .response(status: 200)
        }
        let gone = try RawClient(port: server.port)
        try gone.send("POST /gone HTTP/1.1\r\nContent-Length: 10\r\n\r\nhalf")
        try gone.finishSending()
        #expect(try gone.readToEnd() == [])
        let client = try RawClient(port: server.port)
        try client.send("GET /here HTTP/1.1\r\n\r\n")
        _ = try client.readAnswer()
        #expect(seen.withLock { $0 } == ["/here"])
    }

    private func expectRefusal(
        of client: RawClient, _ status: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let answer = try client.readAnswer()
        #expect(answer.status == status, sourceLocation: sourceLocation)
        #expect(answer.headers["connection"] == "close", sourceLocation: sourceLocation)
        #expect(try client.readToEnd() == [], sourceLocation: sourceLocation)
    }
}
