/// A small HTTP/1.1 server for demonstrations and tests, by default on 127.0.0.1.
///
/// Every connection has its own thread, on which the handler runs, so a handler may block.
///
/// ```swift
/// let server = try LoopbackServer { request in
///     .response(status: 200, body: Array("You asked for \(request.path).".utf8))
/// }
/// print(server.url)
/// server.stop()
/// ```
package final class LoopbackServer: Sendable {
    /// The address that the server listens on.
    package let address: String

    /// The port that the server listens on.
    package let port: UInt16

    private let listener: Listener
    private let connections = ConnectionRegistry()
    private let acceptThread: ServerThread

    /// Starts a server that runs until ``stop()`` or until it is released.
    ///
    /// - Parameters:
    ///   - address: The IPv4 or IPv6 address to listen on; 127.0.0.1 by default.
    ///   - port: The port to listen on; 0, the default, for a free one.
    ///   - timeout: The longest wait for a client to send or to read more, also between requests; then the connection
    ///     is closed. nil, the default, waits for ever, as tests of slow clients need.
    ///   - maxBodySize: The maximum size of a request's body, in bytes; 64 MiB by default.
    ///   - maxConnections: The maximum number of open connections; further ones are closed at once. 1,024 by default.
    ///   - handler: Answers a request. It is called on the threads of the connections, concurrently.
    /// - Throws: A ``ServerError`` if the port is not available.
    package init(
        address: String = "127.0.0.1",
        port: UInt16 = 0,
        timeout: Duration? = nil,
        maxBodySize: Int = 64 << 20,
        maxConnections: Int = 1_024,
        handler: @escaping @Sendable (ServerRequest) -> ServerReply
    ) throws(ServerError) {
        let listener = try Listener(address: address, port: port)
        self.listener = listener
        self.address = address
        self.port = listener.port
        do throws(ServerError) {
            // Not `self`: a running thread must not retain the server.
            acceptThread = try ServerThread(port: listener.port) { [connections] in
                Self.acceptConnections(from: listener, into: connections, atMost: maxConnections) { socket, number in
                    if let timeout { socket.limitWaiting(timeout) }
                    Connection(socket: socket, number: number, bodyLimit: maxBodySize, handler: handler).serve()
                }
            }
        } catch {
            listener.close()
            throw error
        }
    }

    deinit {
        stop()
    }

    /// The server's URL, without a slash at the end.
    package var url: String {
        address.contains(":") ? "http://[\(address)]:\(port)" : "http://\(address):\(port)"
    }

    /// Closes the port and all connections.
    ///
    /// It does not wait for handlers: later answers are discarded. Further calls have no effect.
    package func stop() {
        guard let open = connections.close() else { return }
        listener.shutDown()
        acceptThread.join()
        listener.close()
        for socket in open {
            socket.shutDown()
        }
    }

    private static func acceptConnections(
        from listener: Listener, into connections: ConnectionRegistry, atMost limit: Int,
        _ serve: @escaping @Sendable (Socket, Int) -> Void
    ) {
        while !connections.isClosed {
            guard let socket = listener.accept(), let number = connections.add(socket, atMost: limit) else {
                continue
            }
            do {
                let thread = try ServerThread(port: listener.port) {
                    serve(socket, number)
                    connections.remove(number)
                }
                thread.detach()
            } catch {
                // If the thread cannot be created, the connection is closed without an answer.
                connections.remove(number)
            }
        }
    }
}
