/// The reply of the server to a request.
package enum ServerReply: Sendable {
    /// A complete answer.
    ///
    /// `Content-Length` is added and replaces one in `headers`. For HEAD the body is not sent, but its length is; with
    /// 204 and 304 neither is sent. With `closes`, the answer has `Connection: close`, and the connection is closed
    /// after it.
    case response(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], closes: Bool = false)

    /// Closes the connection without an answer.
    case drop

    /// Sends raw bytes, then closes the connection: for invalid and truncated answers.
    case raw([UInt8])

    /// Sends the head, then the output of `body`, then closes the connection: for slow, interrupted and endless
    /// answers.
    ///
    /// The length is sent only if it is in `headers`. For HEAD `body` is not called.
    case stream(
        status: Int, headers: [(name: String, value: String)] = [], body: @Sendable (_ writer: ReplyWriter) -> Void)
}

/// Writes the body of a streamed answer, piece by piece.
package struct ReplyWriter: Sendable {
    private let socket: Socket

    init(socket: Socket) {
        self.socket = socket
    }

    /// Sends a piece; blocks while the client does not read.
    ///
    /// - Parameter bytes: The piece.
    /// - Returns: False if the client has disconnected or the server has stopped.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        socket.send(bytes)
    }

    /// Waits for a time, or until the connection ends.
    ///
    /// - Parameter time: The time.
    /// - Returns: False, without waiting longer, if the client has disconnected or the server has stopped.
    package func staysOpen(for time: Duration) -> Bool {
        socket.staysOpen(for: time)
    }
}
