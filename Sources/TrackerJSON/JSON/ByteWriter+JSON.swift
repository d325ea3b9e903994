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
            for index in elements.indices {
                if index > 0 { append(UInt8(ascii: ",")) }
                append(json: elements[index])
            }
            append(UInt8(ascii: "]"))
        case .object(let object): append(json: object)
        }
    }

    /// Appends a JSON object as compact text; `null` stands in the place of a number that is not finite.
    package mutating func append(json object: JSONObject) {
        append(UInt8(ascii: "{"))
        let members = object.members
        for index in members.indices {
            if index > 0 { append(UInt8(ascii: ",")) }
            append(quoted: members[index].name)
            append(UInt8(ascii: ":"))
            append(json: members[index].value)
        }
        append(UInt8(ascii: "}"))
    }

    /// Appends a text as a JSON string.
    @inline(__always)
    package mutating func append(quoted text: String) {
        text.withBytes { append(quoting: $0) }
    }

    private mutating func append(quoting bytes: UnsafeRawBufferPointer) {
        let target = reserve(bytes.count &+ 2)
        guard Self.copy(bytes, to: target + 1) else {
            append(UInt8(ascii: "\""))
            append(escapingEach: bytes)
            return append(UInt8(ascii: "\""))
        }
        target[0] = UInt8(ascii: "\"")
        target[bytes.count &+ 1] = UInt8(ascii: "\"")
        advance(by: bytes.count &+ 2)
    }

    /// Appends UTF-8 text with JSON's escapes (RFC 8259, section 7).
    package mutating func append(escaping bytes: UnsafeRawBufferPointer) {
        if Self.copy(bytes, to: reserve(bytes.count)) {
            advance(by: bytes.count)
        } else {
            append(escapingEach: bytes)
        }
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

    /// Copies bytes up to the first that needs an escape, and perhaps not all before it.
    ///
    /// Most texts need none: then this is all. Most are short, so that a call of `memcpy` would cost more than the copy.
    /// - Returns: Whether none needs an escape, and all were copied.
    @inline(__always)
    private static func copy(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutablePointer<UInt8>) -> Bool {
        let target = UnsafeMutableRawPointer(target)
        guard bytes.count >= 8 else {
            if bytes.count >= 4 {
                // Both ends, which may overlap.
                let last = bytes.count &- 4
                let start = bytes.loadUnaligned(as: UInt32.self)
                let end = bytes.loadUnaligned(fromByteOffset: last, as: UInt32.self)
                if hasEscape(UInt64(start) | UInt64(end) << 32) { return false }
                target.storeBytes(of: start, as: UInt32.self)
                target.storeBytes(of: end, toByteOffset: last, as: UInt32.self)
                return true
            }
            for index in 0..<bytes.count {
                let byte = bytes[index]
                if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
                target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
            }
            return true
        }
        // The last eight bytes come again, unless their number is a multiple of eight.
        let last = bytes.count &- 8
        var index = 0
        while true {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if hasEscape(word) { return false }
            target.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
            if index == last { return true }
            index = min(index &+ 8, last)
        }
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
    @inline(__always)
    package static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &- 10 &+ value
    }

    /// The eight lower-case digits of a number, the first in the lowest byte.
    package static func hexadecimalDigits(_ number: UInt32) -> UInt64 {
        // A byte in each 16 bits, then half a byte in each eight, the upper half first.
        var digits = UInt64(number.byteSwapped)
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits >> 4 | digits << 8) & 0x0F0F_0F0F_0F0F_0F0F
        // One in each byte that is above nine.
        let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return digits &+ 0x3030_3030_3030_3030 &+ letters &* UInt64(UInt8(ascii: "a") - UInt8(ascii: "9") - 1)
    }
}
