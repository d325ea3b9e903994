import Dispatch
import TrackerConfig
package import TrackerConsole
import TrackerCore
package import TrackerLoopbackServer

/// A console on the commands' loopback server.
package struct ConsoleServer: Sendable {
    private let server: LoopbackServer
    private let console: Locked<WebConsole?>

    /// Listens on a port. Until ``show(_:)``, requests are answered with 503.
    /// - Parameters:
    ///   - address: The address to listen on.
    ///   - port: The port; 0 for a free one.
    /// - Throws: If the address or the port is not available.
    init(address: String, port: UInt16) throws(CommandFailure) {
        let console = Locked<WebConsole?>(nil)
        self.console = console
        do throws(ServerError) {
            server = try LoopbackServer(
                address: address, port: port, timeout: .seconds(30), maxBodySize: ConsoleRequest.mostBytes
            ) {
                request in
                guard let console = console.withLock({ $0 }) else { return .response(status: 503) }
                return Self.reply(Self.wait { await console.respond(to: ConsoleRequest(request)) })
            }
        } catch {
            throw CommandFailure(.unavailable, error.description)
        }
    }

    /// The address of the page.
    package var url: String { "\(server.url)/" }

    /// Uses a console to answer requests.
    package func show(_ console: WebConsole) {
        self.console.exchange(console)
    }

    /// Closes the port and all connections.
    package func stop() {
        server.stop()
    }

    package static func reply(_ response: ConsoleResponse) -> ServerReply {
        let headers = response.headers.map { (name: $0.name, value: $0.value) }
        switch response.body {
        case .bytes(let bytes): return .response(status: response.status, headers: headers, body: bytes)
        case .stream(let stream):
            return .stream(status: response.status, headers: headers) { writer in
                // Written on the connection's thread, because a client that does not read would block a thread of
                // Swift's pool.
                while let piece = wait({ await stream.first { _ in true } }), writer.write(piece) {}
            }
        }
    }

    /// Blocks until the work is done. Only for the server's threads, one for each connection, which may block.
    private static func wait<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
        let value = Locked<Value?>(nil)
        let done = DispatchSemaphore(value: 0)
        Task {
            value.exchange(await work())
            done.signal()
        }
        done.wait()
        guard let value = value.withLock({ $0 }) else { preconditionFailure("signalled before there is a value") }
        return value
    }
}

extension ConsoleRequest {
    fileprivate init(_ request: ServerRequest) {
        self.init(
            method: request.method, path: request.target,
            headers: request.headers.map { HTTPHeader(name: $0.name, value: $0.value) }, body: request.body)
    }
}
