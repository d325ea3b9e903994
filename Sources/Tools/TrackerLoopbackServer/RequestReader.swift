import Glibc

/// Reads requests from a socket through one buffer, which all requests of a connection share.
struct RequestReader: ~Copyable {
    /// The largest head that is taken, in bytes; also the size of the buffer.
    static let headLimit = 64 * 1024

    /// The largest body that is taken, in bytes.
    static let bodyLimit = 64 * 1024 * 1024

    private let socket: Socket
    private let connection: Int
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: headLimit, alignment: 16)
    private let limits: ServerLimits?
    private var unread = 0..<0
    /// When the request, or before it its head, must be there; nil if there is no limit.
    private var deadline: ContinuousClock.Instant?
    private var isFirst = true

    /// Reads from `socket` what comes in on the connection of that number.
    init(socket: Socket, connection: Int, limits: ServerLimits? = nil) {
        self.socket = socket
        self.connection = connection
        self.limits = limits
    }

    private var bodyLimit: Int { limits?.maxBodySize ?? Self.bodyLimit }

    deinit {
        buffer.deallocate()
    }

    /// Waits for the next request and reads all of it.
    mutating func next() throws(RequestFault) -> ServerRequest {
        let begin = ContinuousClock.now
        deadline = limits.map { begin + (isFirst ? min($0.firstHeadTime, $0.requestTime) : $0.requestTime) }
        var request = try readHead()
        isFirst = false
        deadline = limits.map { begin + $0.requestTime }
        let framing = try request.framing
        if case .length(let length) = framing, length > bodyLimit { throw .bodyTooLarge }
        if request.expectsContinue, framing != .length(0), unread.isEmpty {
            guard socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { throw .peerGone }
        }
        switch framing {
        case .length(0): break
        case .length(let length): request.body = try readBody(length)
        case .chunked: request.body = try readChunks()
        }
        return request
    }

    /// Reads and throws away what the client still sends, until it closes or sends nothing for a second.
    ///
    /// Closing earlier would reset the connection, and the client could lose the answer it has not read yet.
    mutating func drain() {
        socket.limitWaiting(.seconds(1))
        var left = Self.bodyLimit
        let end = limits.map { _ in ContinuousClock.now + .seconds(10) }
        while left > 0, end.map({ ContinuousClock.now < $0 }) ?? true {
            let count = socket.receive(into: buffer)
            guard count > 0 else { return }
            left -= count
        }
    }

    private mutating func readHead() throws(RequestFault) -> ServerRequest {
        // Some clients end a body with a line too much (RFC 9112, 2.2).
        while try peek(2) == [0x0d, 0x0a] { unread = unread.dropFirst(2) }

        var searched = 0
        while true {
            if let length = find("\r\n\r\n", from: searched) {
                let head = UnsafeRawBufferPointer(rebasing: buffer[unread.prefix(length)])
                unread = unread.dropFirst(length)
                return try ServerRequest(head: head, connection: connection)
            }
            searched = unread.count
            guard try fill() else { throw .headTooLarge }
        }
    }

    private mutating func readBody(_ length: Int) throws(RequestFault) -> [UInt8] {
        let buffered = unread.prefix(length)
        unread = unread.dropFirst(buffered.count)
        // All empty arrays are one object, to which the initializer below would write.
        guard length > 0 else { return [] }
        let body = [UInt8](unsafeUninitializedCapacity: length) { body, count in
            let body = UnsafeMutableRawBufferPointer(body)
            body.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[buffered]))
            count = buffered.count
            while count < length, limitWaiting() {
                let received = socket.receive(
                    into: UnsafeMutableRawBufferPointer(rebasing: body[count...]), untilFull: true)
                guard received > 0 else { break }
                count += received
            }
        }
        guard body.count == length else { throw .peerGone }
        return body
    }

    private mutating func readChunks() throws(RequestFault) -> [UInt8] {
        var body: [UInt8] = []
        while case let size = try readChunkSize(), size > 0 {
            guard size <= bodyLimit - body.count else { throw .bodyTooLarge }
            let end = body.count + size
            while body.count < end {
                if unread.isEmpty { _ = try fill() }
                let piece = unread.prefix(end - body.count)
                body.append(contentsOf: buffer[piece])
                unread = unread.dropFirst(piece.count)
            }
            guard try readLine().isEmpty else { throw .malformed }
        }
        var trailers = 0
        while case let line = try readLine(), !line.isEmpty {
            trailers += line.utf8.count
            guard trailers <= Self.headLimit else { throw .headTooLarge }
        }
        return body
    }

    private mutating func readChunkSize() throws(RequestFault) -> Int {
        let digits = try readLine().utf8.prefix { $0 != UInt8(ascii: ";") && !$0.isBlank }
        guard !digits.isEmpty, digits.allSatisfy(\.isHexDigit) else { throw .malformed }
        guard let size = Int(String(Substring(digits)), radix: 16) else { throw .bodyTooLarge }
        return size
    }

    private mutating func readLine() throws(RequestFault) -> String {
        while true {
            if let length = find("\r\n") {
                let line = String(decoding: buffer[unread.prefix(length - 2)], as: UTF8.self)
                unread = unread.dropFirst(length)
                return line
            }
            guard try fill() else { throw .malformed }
        }
    }

    private mutating func peek(_ count: Int) throws(RequestFault) -> [UInt8] {
        while unread.count < count { _ = try fill() }
        return Array(buffer[unread.prefix(count)])
    }

    /// The number of unread bytes up to and with the next `text`, or nil if it has not come yet.
    ///
    /// `text` ends with a line feed; the first `offset` bytes hold no end of it.
    private func find(_ text: StaticString, from offset: Int = 0) -> Int? {
        guard let start = buffer.baseAddress?.advanced(by: unread.lowerBound) else { return nil }
        var offset = offset
        while let feed = memchr(start + offset, 0x0a, unread.count - offset) {
            offset = feed - start + 1
            let length = text.utf8CodeUnitCount
            if offset >= length, memcmp(start + offset - length, text.utf8Start, length) == 0 { return offset }
        }
        return nil
    }

    /// Lets the next bytes come until the deadline only; false if it is over.
    private func limitWaiting() -> Bool {
        guard let deadline else { return true }
        let left = deadline - ContinuousClock.now
        guard left > .zero else { return false }
        socket.limitWaiting(left)
        return true
    }

    /// Waits for more bytes; returns false where the buffer is full of unread ones.
    private mutating func fill() throws(RequestFault) -> Bool {
        if unread.isEmpty {
            unread = 0..<0
        } else if unread.upperBound == buffer.count {
            guard unread.lowerBound > 0 else { return false }
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[unread]))
            unread = 0..<unread.count
        }
        guard limitWaiting() else { throw .peerGone }
        let count = socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: buffer[unread.upperBound...]))
        guard count > 0 else { throw .peerGone }
        unread = unread.lowerBound..<unread.upperBound + count
        return true
    }
}
