import TrackerHiredis

/// An answer of the server.
enum RedisReply: Sendable, Equatable {
    case null
    case integer(Int)
    case text(String)
    /// A string that is not valid UTF-8.
    case bytes([UInt8])
    case list([RedisReply])
    case error(String)

    init(_ reply: UnsafePointer<redisReply>) {
        self = Self.read(reply.pointee)
    }

    private static func read(_ reply: redisReply) -> RedisReply {
        switch reply.type {
        case REDIS_REPLY_INTEGER: .integer(Int(reply.integer))
        case REDIS_REPLY_STRING, REDIS_REPLY_STATUS: string(of: reply)
        case REDIS_REPLY_ERROR: .error(text(of: reply))
        case REDIS_REPLY_ARRAY:
            .list((0..<Int(reply.elements)).map { index in reply.element[index].map { read($0.pointee) } ?? .null })
        default: .null
        }
    }

    private static func buffer(of reply: redisReply) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: reply.str, count: reply.str == nil ? 0 : Int(reply.len))
    }

    private static func text(of reply: redisReply) -> String { String(decoding: buffer(of: reply), as: UTF8.self) }

    private static func string(of reply: redisReply) -> RedisReply {
        String(validating: buffer(of: reply), as: UTF8.self).map(RedisReply.text) ?? .bytes(Array(buffer(of: reply)))
    }

    /// The elements of a list.
    var list: [RedisReply] {
        get throws(RedisError) {
            if case .list(let elements) = self { return elements }
            throw unexpected("a list")
        }
    }

    /// A text.
    var text: String {
        get throws(RedisError) {
            if case .text(let text) = self { return text }
            throw unexpected("a text")
        }
    }

    /// The bytes of a text.
    var bytes: [UInt8] {
        get throws(RedisError) {
            if case .bytes(let bytes) = self { return bytes }
            return Array(try text.utf8)
        }
    }

    /// A number.
    var integer: Int {
        get throws(RedisError) {
            if case .integer(let number) = self { return number }
            throw unexpected("a number")
        }
    }

    private func unexpected(_ kind: String) -> RedisError {
        if case .error(let text) = self { return RedisError(code: .refused, reason: "Redis answered: \(text)") }
        return RedisError(code: .unexpected, reason: "Redis answered with something else than \(kind)")
    }
}
