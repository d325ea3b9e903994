import Dispatch
package import TrackerLoopbackServer
import TrackerConfig
package import TrackerConsole
import TrackerCore

/// A console behind the loopback server of the commands.
package struct ConsoleServer {
    package let server: LoopbackServer

    package init(_ console: WebConsole, address: String, port: UInt16) throws(ServerError) {
        server = try LoopbackServer(address: address, port: port) { request in
            let reply = Locked(ServerReply.drop)
            Self.wait {
                let response = await console.respond(to: ConsoleRequest(request))
                reply.withLock { $0 = Self.reply(response) }
            }
            return reply.withLock { $0 }
        }
    }

    private static func reply(_ response: ConsoleResponse) -> ServerReply {
        let headers = response.headers.map { (name: $0.name, value: $0.value) }
        switch response.body {
        case .bytes(let bytes): return .response(status: response.status, headers: headers, body: bytes)
        case .stream(let stream):
            return .stream(status: response.status, headers: headers) { writer in
                wait { for await piece in stream { guard writer.write(piece) else { break } } }
            }
        }
    }

    /// The server has a thread for each connection, which may wait.
    private static func wait(for work: @escaping @Sendable () async -> Void) {
        let done = DispatchSemaphore(value: 0)
        Task {
            await work()
            done.signal()
        }
        done.wait()
    }
}

extension ConsoleRequest {
    fileprivate init(_ request: ServerRequest) {
        self.init(
            method: request.method, path: request.target,
            headers: request.headers.map { HTTPHeader(name: $0.name, value: $0.value) }, body: request.body)
    }
}
