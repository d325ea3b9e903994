extension ServerRequest {
    /// Parses a head, including the empty line at its end; the request's body is empty.
    init(head: [UInt8], connection: Int) throws(RequestFault) {
        var lines = head.dropLast(4).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        guard let first = lines.popFirst() else { throw .malformed }
        let line = try Self.requestLine(first)

        var headers: [(name: String, value: String)] = []
        headers.reserveCapacity(lines.count)
        for line in lines {
            headers.append(try Self.field(line))
        }
        self.init(method: line.method, target: line.target, headers: headers, connection: connection)
        isVersion11 = line.isVersion11
    }

    private typealias Line = ArraySlice<UInt8>

    private static func requestLine(
        _ line: Line
    ) throws(RequestFault) -> (method: String, target: String, isVersion11: Bool) {
        let words = withoutReturn(line).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(\.isTokenByte),
            !words[1].isEmpty, words[1].allSatisfy({ $0 > 0x20 && $0 != 0x7f })
        else { throw .malformed }

        let version = String(decoding: words[2], as: UTF8.self)
        guard version.hasPrefix("HTTP/") else { throw .malformed }
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else { throw .unknownVersion }
        return (
            String(decoding: words[0], as: UTF8.self), String(decoding: words[1], as: UTF8.self), version == "HTTP/1.1"
        )
    }

    private static func field(_ line: Line) throws(RequestFault) -> (name: String, value: String) {
        let line = withoutReturn(line)
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        let value = line[name.endIndex...].dropFirst()
        guard !name.isEmpty, name.endIndex < line.endIndex, name.allSatisfy(\.isTokenByte),
            value.allSatisfy(\.isFieldByte)
        else { throw .malformed }

        let start = value.firstIndex { !$0.isBlank } ?? value.endIndex
        let end = value.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? start
        return (String(decoding: name, as: UTF8.self), String(decoding: value[start..<end], as: UTF8.self))
    }

    /// Other carriage returns are kept, and are then rejected as control characters.
    private static func withoutReturn(_ line: Line) -> Line {
        line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}

extension ServerRequest {
    /// The length of this request's body, in bytes; throws if the header fields contradict each other.
    var bodyLength: Int {
        get throws(RequestFault) {
            let length = header("Content-Length")
            // Both fields at once may be request smuggling (RFC 9112, 6.1).
            if header("Transfer-Encoding") != nil { throw length == nil && isVersion11 ? .transferCoding : .malformed }
            guard let length else { return 0 }
            guard !length.isEmpty, length.utf8.allSatisfy(\.isDigit) else { throw .malformed }
            guard let length = Int(length) else { throw .bodyTooLarge }
            return length
        }
    }

    /// Whether the client keeps the connection open for further requests.
    var keepsConnection: Bool {
        let options = header("Connection")?.lowercased().split(separator: ",") ?? []
        return isVersion11 && !options.contains { $0.filter { $0 != " " } == "close" }
    }
}

extension UInt8 {
    /// Whether the byte is one of 0-9.
    var isDigit: Bool {
        (0x30...0x39).contains(self)
    }

    /// Whether the byte is allowed in a method or in a field's name (RFC 9110, 5.6.2).
    var isTokenByte: Bool {
        isDigit || (0x61...0x7a).contains(self | 0x20) || "!#$%&'*+-.^_`|~".utf8.contains(self)
    }

    /// Whether the byte is allowed in a field's value: anything but control characters except the tab.
    var isFieldByte: Bool {
        self == 0x09 || (self >= 0x20 && self != 0x7f)
    }

    /// Whether the byte is a space or a tab.
    var isBlank: Bool {
        self == 0x20 || self == 0x09
    }
}
