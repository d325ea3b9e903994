import Foundation
import TrackerLoopbackServer
import TestSupport
import Testing

@Suite("A server's life", .endsWhenItHangs, .mayBlock)
struct LoopbackServerTests {
    @Test("picks a free port and tells it in its address")
    func freePort() throws {
        let server = try LoopbackServer { _ in .response(status: 200) }
        #expect(server.port != 0)
        #expect(server.url == "http://127.0.0.1:\(server.port)")
        let client = try RawClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(try client.readAnswer().status == 200)
    }

    @Test("takes a port again at once after it was stopped with open connections")
    func portTwice() throws {
        let first = try LoopbackServer { _ in .response(status: 200, closes: true) }
        let client = try RawClient(port: first.port)
        try client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(try client.readAnswer().status == 200)
        first.stop()
        let second = try LoopbackServer(port: first.port) { _ in .response(status: 201) }
        let other = try RawClient(port: second.port)
        try other.send("GET / HTTP/1.1\r\n\r\n")
        #expect(try other.readAnswer().status == 201)
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

    @Test("stop closes the port and idle connections, and may be called again")
    func stop() throws {
        let server = try LoopbackServer { _ in .response(status: 200) }
        let client = try RawClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\n\r\n")
        _ = try client.readAnswer()
        server.stop()
        server.stop()
        #expect(try client.readToEnd() == [])
        #expect(throws: RawClient.Failure.refused(ECONNREFUSED)) { try RawClient(port: server.port) }
    }

    @Test("letting go of a server stops it")
    func letGo() throws {
        var server: LoopbackServer? = try LoopbackServer { _ in .response(status: 200) }
        let port = try #require(server?.port)
        let client = try RawClient(port: port)
        try client.send("GET / HTTP/1.1\r\n\r\n")
        _ = try client.readAnswer()
        server = nil
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
        try #require(entered.isSignalled)
        server.stop()
        #expect(try client.readToEnd() == [])
        release.signal()
        #expect(left.isSignalled)
    }

    @Test("a handler may stop the server itself")
    func stopFromHandler() throws {
        let stopped = DispatchSemaphore(value: 0)
        let own = Box<LoopbackServer?>(nil)
        let server = try LoopbackServer { _ in
            own.value?.stop()
            stopped.signal()
            return .response(status: 200)
        }
        own.value = server
        let client = try RawClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(stopped.isSignalled)
        #expect(try client.readToEnd() == [])
        own.value = nil
    }

    @Test("stopped servers leave no descriptors behind")
    func descriptors() throws {
        // Sockets alone: the stores of tests that run at the same time have many files.
        func open() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
                return target?.hasPrefix("socket:") == true
            }
        }
        let before = try open()
        for _ in 0..<1000 {
            let server = try LoopbackServer { _ in .response(status: 200, closes: true) }
            let client = try RawClient(port: server.port)
            try client.send("GET / HTTP/1.1\r\n\r\n")
            _ = try client.readToEnd()
            client.close()
            server.stop()
        }
        // Tests that run at the same time have descriptors too, at times as many; those soon close theirs.
        #expect(try (0..<1000).contains { _ in try open() < before + 700 })
    }

    @Test("serves connections side by side and numbers them")
    func sideBySide() throws {
        let entered = DispatchSemaphore(value: 0)
        let release = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { request in
            if request.path == "/slow" {
                entered.signal()
                release.wait()
            }
            return .response(status: 200, body: Array("\(request.connection)".utf8))
        }
        let slow = try RawClient(port: server.port)
        try slow.send("GET /slow HTTP/1.1\r\n\r\n")
        try #require(entered.isSignalled)
        let quick = try RawClient(port: server.port)
        try quick.send("GET / HTTP/1.1\r\n\r\n")
        #expect(try quick.readAnswer().text == "2")
        release.signal()
        #expect(try slow.readAnswer().text == "1")
    }

    @Test("listens on IPv6 too, with brackets in its address")
    func version6() throws {
        guard let server = try? LoopbackServer(address: "::1", handler: { _ in .drop }) else { return }
        #expect(server.url == "http://[::1]:\(server.port)")
        let error = try #require(throws: ServerError.self) {
            try LoopbackServer(address: "::1", port: server.port) { _ in .drop }
        }
        #expect(error.description == "cannot bind to [::1]:\(server.port): Address already in use")
    }

    @Test("connections beyond the limit get 503, and a place that is free again is used")
    func maxConnections() throws {
        var limits = ServerLimits()
        limits.maxConnections = 2
        let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let server = try LoopbackServer(limits: limits) { request in
            guard request.path == "/slow" else { return .response(status: 200) }
            begun.signal()
            return .response(status: end.isSignalled ? 200 : 500)
        }
        let clients = try (0..<2).map { _ in try RawClient(port: server.port) }
        for client in clients {
            try client.send("GET /slow HTTP/1.1\r\n\r\n")
            #expect(begun.isSignalled)
        }
        #expect(try RawClient(port: server.port).readAnswer().status == 503)
        // Either handler may take the first signal.
        for _ in clients { end.signal() }
        for client in clients { #expect(try client.readAnswer().status == 200) }
        clients[0].close()
        // The server notices the end of a connection on another thread.
        #expect(
            try (0..<1000).contains { _ in
                let client = try RawClient(port: server.port)
                try? client.send("GET / HTTP/1.1\r\n\r\n")
                return (try? client.readAnswer().status) == 200
            })
    }

    @Test("an idle connection and a request that does not become whole are closed after the time of a request")
    func requestTime() throws {
        var limits = ServerLimits()
        limits.requestTime = .milliseconds(50)
        let server = try LoopbackServer(limits: limits) { _ in .response(status: 200) }
        let idle = try RawClient(port: server.port)
        let slow = try RawClient(port: server.port)
        try slow.send("GET / HTTP/1.1\r\nHost: a")
        let body = try RawClient(port: server.port)
        try body.send("POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc")
        for client in [idle, slow, body] { #expect(try client.readToEnd() == []) }
    }

    @Test("a connection whose first head does not come is closed before the time of a request is over")
    func firstHeadTime() throws {
        var limits = ServerLimits()
        limits.firstHeadTime = .milliseconds(50)
        limits.requestTime = .seconds(600)
        let server = try LoopbackServer(limits: limits) { _ in .response(status: 200) }
        let idle = try RawClient(port: server.port)
        let slow = try RawClient(port: server.port)
        try slow.send("GET / HTTP/1.1\r\nHost: a")
        for client in [idle, slow] { #expect(try client.readToEnd() == []) }
    }

    @Test("clients without a whole request keep no other client out: the one that waits longest is closed")
    func fullOfWaiting() throws {
        var limits = ServerLimits()
        limits.maxConnections = 3
        (limits.firstHeadTime, limits.requestTime) = (.seconds(600), .seconds(600))
        let server = try LoopbackServer(limits: limits) { _ in .response(status: 200) }
        let starts = ["", "G", "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc"]
        let idle = try starts.map { start in
            let client = try RawClient(port: server.port)
            try client.send(start)
            return client
        }
        var others: [RawClient] = []
        for client in idle {
            let other = try RawClient(port: server.port)
            others.append(other)
            try other.send("GET / HTTP/1.1\r\n\r\n")
            #expect(try other.readAnswer().status == 200)
            do throws(RawClient.Failure) {
                #expect(try client.readToEnd() == [])
            } catch {
                // A connection with unread bytes is reset.
                #expect(error == .ended(ECONNRESET))
            }
        }
    }

    @Test("a body beyond the limit is refused before it is read")
    func maxBodySize() throws {
        var limits = ServerLimits()
        limits.maxBodySize = 4
        let server = try LoopbackServer(limits: limits) { _ in .response(status: 200) }
        let small = try RawClient(port: server.port)
        try small.send("POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd")
        #expect(try small.readAnswer().status == 200)
        let large = try RawClient(port: server.port)
        try large.send("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n")
        #expect(try large.readAnswer().status == 413)
    }

    @Test("many clients at once all get their own answers")
    func manyClients() throws {
        let server = try LoopbackServer { request in .response(status: 200, body: request.body) }
        let clients = try (0..<50).map { _ in try RawClient(port: server.port) }
        for round in 0..<5 {
            for (number, client) in clients.enumerated() {
                let body = String(repeating: "\(number) ", count: 1_000 + round)
                try client.send("POST / HTTP/1.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
            for (number, client) in clients.enumerated() {
                #expect(try client.readAnswer().text == String(repeating: "\(number) ", count: 1_000 + round))
            }
        }
    }
}
