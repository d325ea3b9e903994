import TrackerPlatform

/// Reads requests from a socket through one buffer for the whole connection.
struct RequestReader: ~Copyable {
    /// The maximum size of a head, in bytes; also the size of the buffer.
    static let headLimit = 64 * 1024

    private let socket: Socket
    private let connection: Int
    private let bodyLimit: Int
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: headLimit, alignment: 16)
    private var unread = 0..<0

    /// Creates a reader for the connection of a socket.
    /// - Parameters:
    ///   - socket: The socket.
    ///   - connection: The connection's number.
    ///   - bodyLimit: The maximum size of a body, in bytes.
    init(socket: Socket, connection: Int, bodyLimit: Int) {
        (self.socket, self.connection, self.bodyLimit) = (socket, connection, bodyLimit)
    }

    deinit {
        buffer.deallocate()
    }

    /// Waits for the next request and reads it completely.
    mutating func next() throws(RequestFault) -> ServerRequest {
        var request = try readHead()
        let length = try request.bodyLength
        guard length <= bodyLimit else { throw .bodyTooLarge }
        request.body = try readBody(length)
        return request
    }

    /// Discards further data of the client until it closes the connection or sends nothing for a second.
    ///
    /// Closing earlier would reset the connection, and the client could lose the unread answer.
    mutating func drain() {
        socket.limitWaiting(.seconds(1))
        var left = bodyLimit
        while left > 0 {
            let count = socket.receive(into: buffer)
            guard count > 0 else { return }
            left -= count
        }
    }

    private mutating func readHead() throws(RequestFault) -> ServerRequest {
        var searched = 0
        while true {
            if let length = headLength(from: searched) {
                let head = UnsafeRawBufferPointer(rebasing: buffer[unread.prefix(length)])
                unread = unread.dropFirst(length)
                return try ServerRequest(head: head, connection: connection)
            }
            searched = unread.count
            try fill()
        }
    }

    private mutating func readBody(_ length: Int) throws(RequestFault) -> [UInt8] {
        let buffered = unread.prefix(length)
        unread = unread.dropFirst(buffered.count)
        // All empty arrays share one buffer, which the initializer below would overwrite.
        guard length > 0 else { return [] }
        let body = [UInt8](unsafeUninitializedCapacity: length) { body, count in
            let body = UnsafeMutableRawBufferPointer(body)
            body.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[buffered]))
            count = buffered.count
            while count < length {
                let received = socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: body[count...]))
                guard received > 0 else { break }
                count += received
            }
        }
        guard body.count == length else { throw .peerGone }
        return body
    }

    /// The number of unread bytes up to and including the empty line; nil if it has not arrived yet. The first `offset`
    /// bytes were already searched.
    private func headLength(from offset: Int) -> Int? {
        guard let start = buffer.baseAddress?.advanced(by: unread.lowerBound) else { return nil }
        let end: StaticString = "\r\n\r\n"
        var offset = offset
        while let feed = memchr(start + offset, 0x0a, unread.count - offset) {
            offset = feed - start + 1
            if offset >= 4, memcmp(start + offset - 4, end.utf8Start, 4) == 0 { return offset }
        }
        return nil
    }

    /// Waits for more bytes of a head.
    private mutating func fill() throws(RequestFault) {
        if unread.isEmpty {
            unread = 0..<0
        } else if unread.upperBound == buffer.count {
            guard unread.lowerBound > 0 else { throw .headTooLarge }
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[unread]))
            unread = 0..<unread.count
        }
        let count = socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: buffer[unread.upperBound...]))
        guard count > 0 else { throw .peerGone }
        unread = unread.lowerBound..<unread.upperBound + count
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
