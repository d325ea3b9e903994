/// Writes the body of a streamed answer, piece by piece.
package struct ReplyWriter: Sendable {
    private let socket: Socket

    init(socket: Socket) {
        self.socket = socket
    }

    /// Sends a piece, and waits while the client does not read.
    ///
    /// - Parameter bytes: The piece.
    /// - Returns: False where the client has gone or the server has stopped, and so nothing more can be sent.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        socket.send(bytes)
    }

    /// Waits for a time, or until nothing more can be sent.
    ///
    /// - Parameter time: The time.
    /// - Returns: False, at once, where the client has gone or the server has stopped.
    package func staysOpen(for time: Duration) -> Bool {
        socket.staysOpen(for: time)
    }
}
