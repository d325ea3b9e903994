import Dispatch
import TrackerCore
import TrackerLoopbackServer

/// A server on this machine whose paths behave as transports have to cope with.
final class LoopbackSite: Sendable {
    /// The body of `/plain` and of many others.
    static let text = Array("any bytes: ".utf8) + Array(0...255)

    /// The size of the body of `/large`, in bytes.
    static let largeSize = 100_000

    private struct State: Sendable {
        var requests: [ServerRequest] = []
        var waiters: [(count: Int, path: String, arrival: FirstResult<Void>)] = []

        func count(of path: String) -> Int { requests.count { $0.path == path } }
    }

    private let server: LoopbackServer
    private let state: Locked<State>
    /// Entered until the answers that hang may end.
    private let hanging: DispatchGroup

    init() throws(ServerError) {
        let (state, hanging) = (Locked(State()), DispatchGroup())
        hanging.enter()
        (self.state, self.hanging) = (state, hanging)
        server = try LoopbackServer { request in
            let arrived = state.withLock { state in
                state.requests.append(request)
                let arrived = state.waiters.filter { state.count(of: $0.path) >= $0.count }
                state.waiters = state.waiters.filter { state.count(of: $0.path) < $0.count }
                return arrived
            }
            for waiter in arrived { waiter.arrival.finish(()) }
            return Self.reply(to: request, hanging)
        }
    }

    private static func reply(to request: ServerRequest, _ hanging: DispatchGroup) -> ServerReply {
        switch request.path {
        case "/echo":
            let headers = [("X-First", "1"), ("X-Second", "a, b"), ("X-Second", "c"), ("X-First", "2")]
            return .response(status: 200, headers: headers, body: request.body)
        case "/redirect": return .response(status: 302, headers: [("Location", "/plain")])
        case "/retry": return .response(status: 503, headers: [("Retry-After", "0")])
        case "/drop": return .drop
        case "/garbage": return .raw(Array("this is not HTTP\r\n\r\n".utf8))
        case "/cut":
            return .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nthe beginning".utf8))
        case "/hang":
            return .stream(status: 200) { writer in
                writer.write(text)
                hanging.wait()
            }
        case "/large", "/zeros":
            let byte = request.path == "/zeros" ? 0 : UInt8(ascii: "x")
            let body = Array(repeating: byte, count: largeSize)
            let acceptsGzip = request.header("Accept-Encoding")?.contains("gzip") == true
            guard request.path == "/zeros", acceptsGzip, let compressed = Gzip.compress(body) else {
                return .response(status: 200, body: body)
            }
            return .response(status: 200, headers: [("Content-Encoding", "gzip")], body: compressed)
        default:
            // `/status/404` and the like.
            let parts = request.path.split(separator: "/")
            let status = parts.first == "status" ? parts.last.flatMap { Int($0) } ?? 200 : 200
            return .response(status: status, body: text)
        }
    }

    /// The URL of a path.
    func url(_ path: String) -> String { server.url + path }

    /// The requests of a path, in their order.
    func requests(of path: String) -> [ServerRequest] { state.withLock { $0.requests }.filter { $0.path == path } }

    /// Returns when so many requests of a path have come.
    func waitForRequests(_ count: Int, of path: String) async {
        let arrival = FirstResult<Void>()
        let isThere = state.withLock { state in
            if state.count(of: path) >= count { return true }
            state.waiters.append((count, path, arrival))
            return false
        }
        if !isThere { await arrival.value }
    }

    /// Closes the connections whose answers hang, and stops the server.
    func stop() {
        hanging.leave()
        server.stop()
    }
}
