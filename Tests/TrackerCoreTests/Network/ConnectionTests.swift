import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerLoopbackServer

/// How many connections there are, and who gets one.
@Suite("Connections of a transport", .endsWhenItHangs)
struct ConnectionTests {
    /// A server that counts its connections and requests, and may keep its answers to itself.
    private final class Host: Sendable {
        let connections = Locked<Set<Int>>([])
        let arrivals: AsyncStream<Void>
        private let gate: DispatchSemaphore?
        private let server: LoopbackServer

        init(hangs: Bool = false, also others: AsyncStream<Void>.Continuation? = nil) throws {
            let (arrivals, arrived) = AsyncStream<Void>.makeStream()
            let gate = hangs ? DispatchSemaphore(value: 0) : nil
            (self.arrivals, self.gate) = (arrivals, gate)
            server = try LoopbackServer { [connections] request in
                connections.withLock { _ = $0.insert(request.connection) }
                arrived.yield()
                others?.yield()
                gate?.wait()
                return .response(status: 200)
            }
        }

        var url: String { server.url }

        /// Lets the handlers go, one after the other.
        func release(_ count: Int) {
            for _ in 0..<count { gate?.signal() }
        }
    }

    private func status(_ transport: CurlTransport, _ url: String, timeout: Duration = .seconds(240)) async -> Int? {
        try? await transport.send(HTTPTransportRequest(method: "GET", url: url, timeout: timeout)).status
    }

    @Test("one request after the other to six servers reuses a connection of each")
    func reuses() async throws {
        let hosts = try (0..<6).map { _ in try Host() }
        // However slow the machine is, no connection is too old to be reused.
        let transport = CurlTransport(threadName: "tracker-http", maxIdleTime: .seconds(86_400))
        for _ in 0..<3 {
            for host in hosts { #expect(await status(transport, host.url) == 200) }
        }
        #expect(hosts.map { $0.connections.withLock { $0.count } } == Array(repeating: 1, count: 6))
    }

    @Test("a connection on which a request timed out is not used again")
    func closesAfterTimeout() async throws {
        let connections = Locked<[Int]>([])
        let isOver = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { request in
            connections.withLock { $0.append(request.connection) }
            if request.path == "/hang" { isOver.wait() }
            return .response(status: 200)
        }
        let transport = CurlTransport(threadName: "tracker-http", maxIdleTime: .seconds(86_400))
        #expect(await status(transport, server.url) == 200)
        #expect(await status(transport, server.url + "/hang", timeout: .seconds(2)) == nil)
        isOver.signal()
        #expect(await status(transport, server.url) == 200)
        let used = connections.withLock { $0 }
        #expect(used.count == 3)
        #expect(used.first == used.dropLast().last && used.last != used.first)
    }

    @Test("a busy connection is replaced by a new one when it has become old")
    func endsOldConnections() async throws {
        let host = try Host()
        let transport = CurlTransport(
            threadName: "tracker-http", maxIdleTime: .seconds(86_400), maxLifetime: .seconds(1))
        try await waitUntil("a request has a second connection") {
            #expect(await status(transport, host.url) == 200)
            return host.connections.withLock { $0.count } == 2
        }
    }

    @Test("requests that end as soon as they begin let all that wait behind them begin")
    func endsAtOnce() async throws {
        let transport = CurlTransport(maxConnectionsPerHost: 1)
        await withTaskGroup(of: String.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    // libcurl refuses it without a look at the network.
                    let request = HTTPTransportRequest(method: "GET", url: "nosuch://a", timeout: .seconds(20))
                    do throws(HTTPTransportError) {
                        return "\(try await transport.send(request).status)"
                    } catch {
                        return error.reason
                    }
                }
            }
            for await reason in group { #expect(reason.contains("nosuch"), "\(reason)") }
        }
    }

    @Test("more servers than connections work all the same, and idle connections are closed for them")
    func closesIdle() async throws {
        let hosts = try (0..<5).map { _ in try Host() }
        let transport = CurlTransport(maxConnections: 2)
        for _ in 0..<3 {
            for host in hosts { #expect(await status(transport, host.url) == 200) }
        }
    }

    @Test("servers that hang get their share of the connections, and the requests to another one go on")
    func isFair() async throws {
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let hanging = try (0..<4).map { _ in try Host(hangs: true, also: arrived) }
        let healthy = try Host()
        let transport = CurlTransport(maxConnections: 8, maxConnectionsPerHost: 2)
        let requests = hanging.flatMap { host in
            (0..<10).map { _ in Task { await status(transport, host.url) } }
        }
        // The last quarter is kept: six of eight are taken.
        for await _ in arrivals.prefix(6) {}
        for _ in 0..<5 { #expect(await status(transport, healthy.url) == 200) }
        let connections = hanging.map { $0.connections.withLock { $0.count } }
        #expect(connections.allSatisfy { $0 <= 2 })
        #expect(connections.reduce(0, +) <= 7)
        for request in requests { request.cancel() }
        for request in requests { #expect(await request.value == nil) }
        for host in hanging { host.release(10) }
    }

    @Test("a request that waits for a connection starts when one is free, in its turn")
    func waits() async throws {
        let host = try Host(hangs: true)
        let transport = CurlTransport(maxConnectionsPerHost: 1)
        let requests = (0..<3).map { _ in Task { await status(transport, host.url) } }
        var count = 0
        for await _ in host.arrivals {
            count += 1
            host.release(1)
            if count == 3 { break }
        }
        for request in requests { #expect(await request.value == 200) }
        #expect(host.connections.withLock { $0.count } == 1)
    }

    @Test("the wait for a connection is no part of the timeout, and is as long at most")
    func boundsTheWait() async throws {
        let host = try Host(hangs: true)
        let transport = CurlTransport(maxConnectionsPerHost: 1)
        let first = Task { await status(transport, host.url) }
        for await _ in host.arrivals { break }
        let request = HTTPTransportRequest(method: "GET", url: host.url, timeout: .milliseconds(50))
        let error = await #expect(throws: HTTPTransportError.self) { try await transport.send(request) }
        #expect(error == HTTPTransportError(.timeout, reason: "no connection was free within 0.05 seconds"))
        host.release(1)
        #expect(await first.value == 200)
    }

    @Test("a transport goes while requests wait for a connection, and they end")
    func stopsWaiting() async throws {
        let host = try Host(hangs: true)
        let requests = Task {
            let transport = CurlTransport(maxConnectionsPerHost: 1)
            async let first = status(transport, host.url)
            async let second = status(transport, host.url)
            return await [first, second]
        }
        for await _ in host.arrivals { break }
        requests.cancel()
        #expect(await requests.value == [nil, nil])
        host.release(2)
    }

    @Test("a header without a value is sent, whatever its value's spaces", arguments: ["", " ", "  "])
    func emptyHeader(value: String) async throws {
        let seen = Locked<String?>(nil)
        let server = try LoopbackServer { request in
            seen.withLock { $0 = request.header("X-Empty") }
            return .response(status: 200)
        }
        let request = HTTPTransportRequest(
            method: "GET", url: server.url,
            headers: [HTTPHeader(name: "X-Empty", value: value), HTTPHeader(name: "X-B", value: "b")])
        #expect(try await CurlTransport().send(request).status == 200)
        #expect(seen.withLock { $0 } == "")
    }
}
