import Dispatch
import TrackerCore
import TrackerLoopbackServer

/// A server on this machine with a path for each behaviour that a transport must handle.
final class LoopbackSite: Sendable {
    /// The body of `/plain` and of many others.
    static let text = Array("any bytes: ".utf8) + Array(0...255)

    /// The size of the body of `/large`, in bytes.
    static let largeSize = 100_000

    private let server: LoopbackServer
    private let received: Locked<[ServerRequest]>
    /// Finished when a request for `/cancelled` has arrived.
    let hangs: FirstResult<Bool>
    /// Entered until the hanging responses may end.
    private let hanging: DispatchGroup

    init() throws(ServerError) {
        let (received, hangs, hanging) = (Locked<[ServerRequest]>([]), FirstResult<Bool>(), DispatchGroup())
        hanging.enter()
        (self.received, self.hangs, self.hanging) = (received, hangs, hanging)
        server = try LoopbackServer { request in
            received.withLock { $0.append(request) }
            if request.path == "/cancelled" { hangs.finish(true) }
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
        case "/hang", "/cancelled":
            return .stream(status: 200) { writer in
                writer.write(text)
                hanging.wait()
            }
        case "/large": return .response(status: 200, body: Array(repeating: 120, count: largeSize))
        case "/zeros":
            let body = Array(repeating: UInt8(0), count: largeSize)
            guard request.header("Accept-Encoding")?.contains("gzip") == true, let compressed = Gzip.compress(body)
            else { return .response(status: 200, body: body) }
            return .response(status: 200, headers: [("Content-Encoding", "gzip")], body: compressed)
        default:
            // Paths such as `/status/404`.
            return .response(status: request.path.split(separator: "/").last.flatMap { Int($0) } ?? 200, body: text)
        }
    }

    /// The URL of a path.
    func url(_ path: String) -> String { server.url + path }

    /// The requests of a path, in their order.
    func requests(of path: String) -> [ServerRequest] { received.withLock { $0 }.filter { $0.path == path } }

    /// Closes the connections of hanging responses, and stops the server.
    func stop() {
        hanging.leave()
        server.stop()
    }
}
