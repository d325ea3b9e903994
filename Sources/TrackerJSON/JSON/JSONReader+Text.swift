extension JSONReader {
    /// Reads a string.
    mutating func string() throws(JSONError) -> String {
        let offset = index
        index += 1
        skipPlainBytes()
        let string: String
        if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
            string = text(offset + 1..<index)
            index += 1
        } else {
            string = try stringWithEscapes(from: offset)
        }
        guard allowsAllTexts || !string.exceedsMaxCombiningMarks else {
            let reason = "more than \(String.maxCombiningMarks) combining characters in a row"
            throw JSONError(code: .syntax, reason: reason, offset: offset)
        }
        return string
    }

    /// Skips the bytes of a string that need no escape.
    private mutating func skipPlainBytes() {
        let rest = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[index...])
        var position = 0
        while position &+ 8 <= rest.count {
            let word = UInt64(littleEndian: rest.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let stops = word.bytesToEscape
            guard stops == 0 else {
                index += position &+ stops.trailingZeroBitCount / 8
                return
            }
            position &+= 8
        }
        while position < rest.count, !rest[position].needsEscape { position &+= 1 }
        index += position
    }

    private mutating func stringWithEscapes(from offset: Int) throws(JSONError) -> String {
        var unescaped: [UInt8] = []
        var start = offset + 1
        while index < bytes.count {
            unescaped.append(contentsOf: bytes[start..<index])
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                return String(decoding: unescaped, as: UTF8.self)
            case UInt8(ascii: "\\"): try unescape(into: &unescaped, inStringFrom: offset)
            default: throw controlCharacter(inStringFrom: offset)
            }
            start = index
            skipPlainBytes()
        }
        throw unclosed("string", from: offset)
    }

    private mutating func unescape(into text: inout [UInt8], inStringFrom offset: Int) throws(JSONError) {
        guard index + 1 < bytes.count else { throw unclosed("string", from: offset) }
        let letter = bytes[index + 1]
        switch letter {
        case UInt8(ascii: "u"):
            text += String(try unicodeEscape()).utf8
            return
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        default: throw unknownEscape
        }
        index += 2
    }

    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let offset = index
        let unit = try codeUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        // Half of a surrogate pair; the other half must follow.
        if UTF16.isLeadSurrogate(unit), bytes[index...].starts(with: #"\u"#.utf8) {
            let second = try codeUnit()
            if UTF16.isTrailSurrogate(second) { return UTF16.decode(UTF16.EncodedScalar([unit, second])) }
        }
        throw JSONError(code: .syntax, reason: "half of a surrogate pair in a string", offset: offset)
    }

    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for position in index + 2..<index + 6 {
            guard position < bytes.count, let digit = Character(UnicodeScalar(bytes[position])).hexDigitValue else {
                throw syntax(#"four hexadecimal digits must follow \u in a string"#)
            }
            unit = unit << 4 | UInt16(digit)
        }
        index += 6
        return unit
    }
}

extension UInt8 {
    /// Whether a string of JSON must escape the byte: a control character, a quotation mark or a backslash.
    var needsEscape: Bool { self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") }
}

extension UInt64 {
    /// The high bits of the bytes that a JSON string must escape; after the first such byte, other bits may be set too.
    ///
    /// The test for a byte less than n is from https://graphics.stanford.edu/~seander/bithacks.html. Flipping a bit
    /// moves the quotation mark right after the control characters.
    var bytesToEscape: UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let control = (self ^ (ones &* 0x02)) &- ones &* 0x21
        let backslash = (self ^ (ones &* 0x5C)) &- ones
        return (control | backslash) & ~self & (ones &* 0x80)
    }
}
