/// Reads requests from a socket, which may send several before the first is answered.
struct RequestReader {
    /// The maximum size of a head, in bytes.
    static let headLimit = 64 * 1024

    private static let headEnd = Array("\r\n\r\n".utf8)

    private let socket: Socket
    private let connection: Int
    private let bodyLimit: Int
    /// The received bytes of the next requests.
    private var unread: [UInt8] = []

    /// Creates a reader for the connection of a socket.
    /// - Parameters:
    ///   - socket: The socket.
    ///   - connection: The connection's number.
    ///   - bodyLimit: The maximum size of a body, in bytes.
    init(socket: Socket, connection: Int, bodyLimit: Int) {
        (self.socket, self.connection, self.bodyLimit) = (socket, connection, bodyLimit)
    }

    /// Waits for the next request and reads it completely.
    mutating func next() throws(RequestFault) -> ServerRequest {
        var request = try ServerRequest(head: try readHead(), connection: connection)
        let length = try request.bodyLength
        guard length <= bodyLimit else { throw .bodyTooLarge }
        while unread.count < length { try receive() }
        request.body = take(length)
        return request
    }

    /// Discards further data of the client until it closes the connection or sends nothing for a second.
    ///
    /// Closing earlier would reset the connection, and the client could lose the unread answer.
    func drain() {
        socket.limitWaiting(.seconds(1))
        var left = bodyLimit
        while left > 0 {
            let count = received().count
            guard count > 0 else { return }
            left -= count
        }
    }

    private mutating func readHead() throws(RequestFault) -> [UInt8] {
        var searched = 0
        while true {
            let end = unread[searched...].firstRange(of: Self.headEnd)?.upperBound
            if let end, end <= Self.headLimit { return take(end) }
            guard end == nil, unread.count < Self.headLimit else { throw .headTooLarge }
            // The end may have begun to arrive.
            searched = max(0, unread.count - Self.headEnd.count + 1)
            try receive()
        }
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        defer { unread.removeFirst(count) }
        return Array(unread.prefix(count))
    }

    private mutating func receive() throws(RequestFault) {
        let bytes = received()
        guard !bytes.isEmpty else { throw .peerGone }
        unread += bytes
    }

    private func received() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.headLimit) { buffer, count in
            count = socket.receive(into: UnsafeMutableRawBufferPointer(buffer))
        }
    }
}

/// The error of a request that could not be read.
enum RequestFault: Error {
    /// The client closed the connection, or the server stopped.
    case peerGone
    /// The bytes are not HTTP.
    case malformed
    /// The body is larger than the server accepts.
    case bodyTooLarge
    /// The head is larger than the server accepts.
    case headTooLarge
    /// The body has a transfer coding, such as `chunked`.
    case transferCoding
    /// The version is neither HTTP/1.1 nor HTTP/1.0.
    case unknownVersion

    /// The status of the answer; nil if the client has disconnected.
    var status: Int? {
        switch self {
        case .peerGone: nil
        case .malformed: 400
        case .bodyTooLarge: 413
        case .headTooLarge: 431
        case .transferCoding: 501
        case .unknownVersion: 505
        }
    }
}
