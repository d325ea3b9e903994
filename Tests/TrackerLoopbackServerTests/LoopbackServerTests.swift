import Dispatch
import Foundation
import TestSupport
import Testing
import TrackerLoopbackServer

@Suite("A server's life", .endsWhenItHangs, .mayBlock)
struct LoopbackServerTests {
    /// A client that has asked once.
    private func ask(_ port: UInt16, status: Int = 200) throws -> RawClient {
        let client = try RawClient(port: port)
        try client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(try client.readAnswer().status == status)
        return client
    }

    @Test("picks a free port, which can be taken again at once after a stop with open connections")
    func portTwice() throws {
        let first = try LoopbackServer { _ in .response(status: 200, closes: true) }
        #expect(first.url == "http://127.0.0.1:\(first.port)")
        let client = try ask(first.port)
        first.stop()
        let second = try LoopbackServer(port: first.port) { _ in .response(status: 201) }
        _ = try ask(second.port, status: 201)
        client.close()
    }

    @Test("says why a port cannot be had")
    func portInUse() throws {
        let server = try LoopbackServer { _ in .drop }
        let error = try #require(throws: ServerError.self) {
            try LoopbackServer(port: server.port) { _ in .drop }
        }
        #expect(error.code == .bind)
        #expect(error.errorNumber == EADDRINUSE)
        #expect(error.description == "cannot bind to 127.0.0.1:\(server.port): Address already in use")
    }

    @Test("closes a connection beyond its limit, and serves the others")
    func tooMany() throws {
        let server = try LoopbackServer(maxConnections: 2) { _ in .response(status: 200) }
        let clients = try [ask(server.port), ask(server.port)]
        let third = try RawClient(port: server.port)
        #expect(try third.readToEnd().isEmpty)
        for client in clients {
            try client.send("GET / HTTP/1.1\r\n\r\n")
            #expect(try client.readAnswer().status == 200)
        }
        server.stop()
    }

    @Test("a stop, which may be repeated, and a release close the port and idle connections", arguments: [true, false])
    func stop(isReleased: Bool) throws {
        var server: LoopbackServer? = try LoopbackServer { _ in .response(status: 200) }
        let port = try #require(server?.port)
        let client = try ask(port)
        if isReleased {
            server = nil
        } else {
            server?.stop()
            server?.stop()
        }
        #expect(try client.readToEnd() == [])
        #expect(throws: RawClient.Failure.refused(ECONNREFUSED)) { try RawClient(port: port) }
    }

    @Test("stop does not wait for a handler that blocks, and throws its answer away")
    func stopWhileHandling() throws {
        let entered = DispatchSemaphore(value: 0)
        let release = DispatchSemaphore(value: 0)
        let left = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { _ in
            entered.signal()
            release.wait()
            left.signal()
            return .response(status: 200)
        }
        let client = try RawClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\n\r\n")
        try entered.wait(until: "the handler is called")
        server.stop()
        #expect(try client.readToEnd() == [])
        release.signal()
        try left.wait(until: "the handler returns")
    }

    @Test("a connection is closed whose client sends nothing for too long, before a request, within it and after it")
    func timeout() throws {
        let server = try LoopbackServer(timeout: .milliseconds(50)) { _ in .response(status: 204) }
        let (head, body) = ("GET / HTTP/1.1\r\nHost: a", "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc")
        for start in ["", head, body, "\(head)\r\n\r\n"] {
            let client = try RawClient(port: server.port)
            try client.send(start)
            let answer = String(decoding: try client.readToEnd(), as: UTF8.self)
            #expect(answer == (start.hasSuffix("\r\n\r\n") ? "HTTP/1.1 204 No Content\r\n\r\n" : ""))
        }
    }
}
