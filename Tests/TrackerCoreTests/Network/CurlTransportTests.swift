import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerLoopbackServer

@Suite("CurlTransport", .endsWhenItHangs)
struct CurlTransportTests {
    private let transport = CurlTransport()

    private func failure(_ request: HTTPTransportRequest) async -> HTTPTransportError? {
        do throws(HTTPTransportError) {
            _ = try await transport.send(request)
            return nil
        } catch {
            return error
        }
    }

    @Test("a GET reaches the server with its headers, and the answer comes back whole")
    func gets() async throws {
        let seen = Locked<ServerRequest?>(nil)
        let server = try LoopbackServer { request in
            seen.withLock { $0 = request }
            return .response(status: 207, headers: [("X-A", " one ")], body: [0, 1, 255])
        }
        let response = try await transport.send(
            HTTPTransportRequest(
                method: "GET", url: server.url + "/i?a=%20b&c=%C3%A9",
                headers: [HTTPHeader(name: "SP-Anonymous", value: "*")]))
        #expect(response.status == 207)
        #expect(response.body == [0, 1, 255])
        #expect(response.header("x-a") == "one")
        let request = try #require(seen.withLock { $0 })
        #expect(request.method == "GET")
        #expect(request.target == "/i?a=%20b&c=%C3%A9")
        #expect(request.header("sp-anonymous") == "*")
        #expect(request.body.isEmpty)
    }

    @Test("a POST's body arrives as it is", arguments: [0, 1 << 18])
    func posts(size: Int) async throws {
        let seen = Locked<ServerRequest?>(nil)
        let server = try LoopbackServer { request in
            seen.withLock { $0 = request }
            return .response(status: 200)
        }
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        let request = HTTPTransportRequest(
            method: "POST", url: server.url, headers: [HTTPHeader(name: "Content-Type", value: "application/json")],
            body: body)
        #expect(try await transport.send(request).status == 200)
        let received = try #require(seen.withLock { $0 })
        #expect(received.method == "POST")
        #expect(received.body == body)
        #expect(received.header("Content-Type") == "application/json")
        #expect(received.header("Expect") == nil)
    }

    @Test("a body that went into a connection which had ended is sent once more, whole", arguments: [1000, 1 << 18])
    func sendsAgain(size: Int) async throws {
        let bodies = Locked<[Int]>([])
        let server = try LoopbackServer { request in
            let count = bodies.withLock {
                $0.append(request.body.count)
                return $0.count
            }
            return count == 2 ? .drop : .response(status: 200, body: request.body)
        }
        let transport = CurlTransport(threadName: "tracker-http", maxIdleTime: .seconds(86_400))
        _ = try await transport.send(HTTPTransportRequest(method: "POST", url: server.url, body: [1]))
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        let request = HTTPTransportRequest(method: "POST", url: server.url, body: body, maxResponseSize: size)
        #expect(try await transport.send(request).body == body)
        #expect(bodies.withLock { $0 } == [1, size, size])
    }

    @Test("an answer may be as large as the request allows, and not a byte more")
    func boundsAnswers() async throws {
        let server = try LoopbackServer { _ in .response(status: 200, body: Array(repeating: 7, count: 5000)) }
        let request = HTTPTransportRequest(method: "GET", url: server.url, maxResponseSize: 5000)
        #expect(try await transport.send(request).body.count == 5000)
        let error = await failure(HTTPTransportRequest(method: "GET", url: server.url, maxResponseSize: 4999))
        #expect(error?.code == .responseTooLarge)
    }

    @Test("redirects are not followed", arguments: [301, 307])
    func doesNotFollow(status: Int) async throws {
        let requests = Locked(0)
        let server = try LoopbackServer { _ in
            requests.withLock { $0 += 1 }
            return .response(status: status, headers: [("Location", "/other")])
        }
        #expect(
            try await transport.send(HTTPTransportRequest(method: "POST", url: server.url, body: [1])).status == status)
        #expect(requests.withLock { $0 } == 1)
    }

    @Test("a cancelled request ends while the server still thinks")
    func isCancelled() async throws {
        let never = DispatchSemaphore(value: 0)
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let server = try LoopbackServer { _ in
            arrived.yield()
            never.wait()
            return .drop
        }
        let task = Task { [transport] in
            try await transport.send(HTTPTransportRequest(method: "GET", url: server.url, timeout: .seconds(600)))
        }
        for await _ in arrivals { break }
        task.cancel()
        let error = await #expect(throws: HTTPTransportError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        never.signal()
    }

    @Test("a request of a task that was cancelled before is not sent on")
    func isCancelledBefore() async throws {
        let server = try LoopbackServer { _ in .response(status: 200) }
        let task = Task { [transport] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await transport.send(HTTPTransportRequest(method: "GET", url: server.url))
        }
        let error = await #expect(throws: HTTPTransportError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test("a transport can be let go of right after an answer, and while a request is under way")
    func canBeLetGoOf() async throws {
        let server = try LoopbackServer { _ in .response(status: 200) }
        for _ in 0..<Search.count(20) {
            let task = Task {
                try await CurlTransport().send(HTTPTransportRequest(method: "GET", url: server.url)).status
            }
            #expect(try await task.value == 200)
        }
    }

    @Test("a tracker's events arrive over a real connection", arguments: ["127.0.0.1", "xn--bcher-kva.localhost"])
    func carriesEvents(host: String) async throws {
        let bodies = Locked<[[UInt8]]>([])
        let server = try LoopbackServer { request in
            bodies.withLock { $0.append(request.body) }
            return .response(status: 200)
        }
        let pipeline = EventPipeline(stateDirectory: nil)
        var bundle = ConfigurationBundle.sample()
        // libcurl resolves all names below localhost itself.
        bundle.network?.endpoint = "http://\(host):\(server.port)"
        let tracker = try Tracker(bundle, pipeline: pipeline)
        tracker.track(1...10)
        #expect(await pipeline.shutdown(timeout: .seconds(600)).sent == 10)
        let events = bodies.withLock { $0 }.flatMap { HTTPTransportRequest(method: "POST", url: "", body: $0).events }
        #expect(events.map { $0["se_ac"] } == (1...10).map { "\($0)" })
    }
}
