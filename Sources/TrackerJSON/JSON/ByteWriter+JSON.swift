extension ByteWriter {
    /// Appends a JSON value as compact text; `null` stands in the place of a number that is not finite.
    package mutating func append(json value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(true): append("true")
        case .bool(false): append("false")
        case .int(let number): append(decimal: Int64(number))
        case .largeInteger(let number): append(raw: number.digits)
        case .double(let number): if number.isFinite { append(raw: number.description) } else { append("null") }
        case .string(let text): append(quoted: text)
        case .array(let elements):
            append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { append(UInt8(ascii: ",")) }
                append(json: element)
            }
            append(UInt8(ascii: "]"))
        case .object(let object): append(json: object)
        }
    }

    /// Appends a JSON object as compact text; `null` stands in the place of a number that is not finite.
    package mutating func append(json object: JSONObject) {
        append(UInt8(ascii: "{"))
        for (index, member) in object.members.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            append(quoted: member.name)
            append(UInt8(ascii: ":"))
            append(json: member.value)
        }
        append(UInt8(ascii: "}"))
    }

    /// Appends a text as a JSON string.
    @inlinable
    @inline(__always)
    package mutating func append(quoted text: String) {
        append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { append(escaping: UnsafeRawBufferPointer($0)) }
        append(UInt8(ascii: "\""))
    }

    /// Appends UTF-8 text with JSON's escapes (RFC 8259, section 7).
    package mutating func append(escaping bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        // Most texts need no escape: then one look and one copy are all.
        let clean = Self.lengthWithoutEscape(bytes)
        append(UnsafeRawBufferPointer(start: start, count: clean))
        if clean < bytes.count { append(escapingEach: UnsafeRawBufferPointer(rebasing: bytes[clean...])) }
    }

    private mutating func append(escapingEach bytes: UnsafeRawBufferPointer) {
        // Six bytes for each is the worst case.
        var target = reserve(bytes.count &* 6)
        let first = target
        for byte in bytes {
            if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
                target.pointee = byte
                target += 1
                continue
            }
            target[0] = UInt8(ascii: "\\")
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): target[1] = byte
            case 0x0A: target[1] = UInt8(ascii: "n")
            case 0x0D: target[1] = UInt8(ascii: "r")
            case 0x09: target[1] = UInt8(ascii: "t")
            default:
                target[1] = UInt8(ascii: "u")
                target[2] = UInt8(ascii: "0")
                target[3] = UInt8(ascii: "0")
                target[4] = UInt8(ascii: "0") + byte >> 4
                target[5] = Self.hexadecimalDigit(byte & 15)
                target += 4
            }
            target += 2
        }
        advance(by: target - first)
    }

    /// How many bytes at the start need no escape; up to seven fewer where one follows.
    @inline(__always)
    private static func lengthWithoutEscape(_ bytes: UnsafeRawBufferPointer) -> Int {
        var index = 0
        while index &+ 8 <= bytes.count {
            if hasEscape(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) { return index }
            index &+= 8
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return index }
            index &+= 1
        }
        return index
    }

    /// Whether one of a word's eight bytes is a control character, a quotation mark or a backslash. By the tests for a
    /// byte that is zero or less than n of https://graphics.stanford.edu/~seander/bithacks.html.
    @inline(__always)
    private static func hasEscape(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let isControl = (word &- ones &* 0x20) & ~word
        let isQuote = (quote &- ones) & ~quote
        let isBackslash = (backslash &- ones) & ~backslash
        return (isControl | isQuote | isBackslash) & tops != 0
    }

    /// The lower-case digit of 0 … 15.
    @inlinable
    @inline(__always)
    package static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &- 10 &+ value
    }
}
