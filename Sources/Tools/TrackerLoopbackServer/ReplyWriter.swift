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
