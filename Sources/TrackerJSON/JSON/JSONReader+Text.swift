extension JSONReader {
    /// Reads a string.
    mutating func string() throws(JSONError) {
        let offset = index
        index &+= 1
        let isASCII = skipPlainBytes()
        guard index < count, bytes[index] == UInt8(ascii: "\"") else {
            return add(.escaped, at: offset, try stringWithEscapes(from: offset))
        }
        if !isASCII {
            _ = try text(UnsafeBufferPointer(start: bytes + offset + 1, count: index - offset - 1).span, at: offset)
        }
        add(isASCII ? .ascii : .unicode, at: offset, index &- offset &- 1)
        index &+= 1
    }

    /// Moves to a string's next byte that does not stand for itself: a quotation mark, a backslash or a control character.
    /// - Returns: Whether the bytes before it are ASCII.
    @inline(__always)
    private mutating func skipPlainBytes() -> Bool {
        var place = index
        var bits: UInt64 = 0
        defer { index = place }
        while place &+ 8 <= count {
            let word = UInt64(littleEndian: UnsafeRawPointer(bytes + place).loadUnaligned(as: UInt64.self))
            let stops = Self.stops(word)
            guard stops == 0 else {
                let count = stops.trailingZeroBitCount / 8
                place &+= count
                return (bits | word & ~(.max << UInt64(8 * count))) & Self.highBits == 0
            }
            bits |= word
            place &+= 8
        }
        while place < count, Self.stops(UInt64(bytes[place]) | ~0xFF) == 0 {
            bits |= UInt64(bytes[place])
            place += 1
        }
        return bits & Self.highBits == 0
    }

    private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

    /// The high bits of the bytes that are a control character, a quotation mark or a backslash; of those after the first
    /// one some others may be set.
    ///
    /// By the test for a byte that is less than n of https://graphics.stanford.edu/~seander/bithacks.html. With a bit
    /// flipped, a quotation mark comes right after the control characters.
    @inline(__always)
    private static func stops(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let control = (word ^ (ones &* 0x02)) &- ones &* 0x21
        let backslash = (word ^ (ones &* 0x5C)) &- ones
        return (control | backslash) & ~word & highBits
    }

    private mutating func stringWithEscapes(from offset: Int) throws(JSONError) -> String {
        unescaped.removeAll(keepingCapacity: true)
        unescaped.append(contentsOf: text[offset + 1..<index])
        while index < count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                return try text(unescaped.span, at: offset)
            case UInt8(ascii: "\\"): try unescape(inStringFrom: offset)
            case 0..<0x20: throw controlCharacter(inStringFrom: offset)
            default:
                let start = index
                _ = skipPlainBytes()
                unescaped.append(contentsOf: text[start..<index])
            }
        }
        throw unclosedString(from: offset)
    }

    /// The text of a string that may have any characters.
    private func text(_ bytes: Span<UInt8>, at offset: Int) throws(JSONError) -> String {
        let text: String
        do throws(UTF8.ValidationError) {
            text = String(copying: try UTF8Span(validating: bytes))
        } catch {
            // Where in the whole text is looked for by the caller.
            throw JSONError(code: .invalidUTF8, reason: "not valid UTF-8", offset: offset)
        }
        guard !text.exceedsMaxCombiningMarks else {
            let reason = "more than \(String.maxCombiningMarks) combining characters in a row"
            throw JSONError(code: .syntax, reason: reason, offset: offset)
        }
        return text
    }

    private mutating func unescape(inStringFrom offset: Int) throws(JSONError) {
        guard index + 1 < count else { throw unclosedString(from: offset) }
        let letter = bytes[index + 1]
        guard letter != UInt8(ascii: "u") else {
            for byte in UTF8.encode(try unicodeEscape())! { unescaped.append(byte) }
            return
        }
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(letter)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        default: throw unknownEscape
        }
        index += 2
    }

    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let offset = index
        let unit = try codeUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        // Half of a surrogate pair: the other one has to follow.
        if UTF16.isLeadSurrogate(unit), index + 1 < count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        {
            let second = try codeUnit()
            if UTF16.isTrailSurrogate(second) {
                return UTF16.decode(UTF16.EncodedScalar([unit, second]))
            }
        }
        throw JSONError(code: .syntax, reason: "half of a surrogate pair in a string", offset: offset)
    }

    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for place in index + 2..<index + 6 {
            guard place < count, let digit = Self.hexadecimalDigit(bytes[place]) else {
                throw syntax(#"four hexadecimal digits must follow \u in a string"#)
            }
            unit = unit << 4 | digit
        }
        index += 6
        return unit
    }

    private static func hexadecimalDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
