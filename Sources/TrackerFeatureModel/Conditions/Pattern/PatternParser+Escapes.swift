extension PatternParser {
    /// Reads a class in brackets.
    mutating func characterClass() throws(RegularExpressionError) -> ScalarSet {
        let start = index
        index += 1
        let isNegated = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        while !take("]") {
            guard peek != nil else { throw fault("'[' has no ']' after it", at: start) }
            let itemStart = index
            let first = try classItem()
            guard peek == "-", index + 1 < scalars.count, scalars[index + 1] != 0x5D else {
                ranges += first.ranges
                continue
            }
            index += 1
            let last = try classItem()
            if case .scalar(let low) = first, case .scalar(let high) = last {
                guard low <= high else { throw fault("the ends of a range are out of order", at: itemStart) }
                ranges.append(low...high)
            } else {
                // A class such as \d is no end of a range; then the hyphen stands for itself.
                ranges += first.ranges + [0x2D...0x2D] + last.ranges
            }
        }
        return ScalarSet(ranges, isNegated: isNegated, ignoresCase: ignoresCase)
    }

    private mutating func classItem() throws(RegularExpressionError) -> CharacterEscape {
        if peek == "\\" { return try escape(inClass: true) }
        defer { index += 1 }
        return .scalar(scalars[index])
    }

    /// Reads a backslash and what belongs to it.
    mutating func escape(inClass: Bool) throws(RegularExpressionError) -> CharacterEscape {
        let start = index
        index += 1
        guard let scalar = peek else { throw fault("the pattern ends with a backslash", at: start) }
        index += 1
        switch scalar {
        case "d": return .ranges(CharacterEscape.digits)
        case "D": return .ranges(CharacterEscape.complement(CharacterEscape.digits))
        case "w": return .ranges(CharacterEscape.words)
        case "W": return .ranges(CharacterEscape.complement(CharacterEscape.words))
        case "s": return .ranges(CharacterEscape.spaces)
        case "S": return .ranges(CharacterEscape.complement(CharacterEscape.spaces))
        case "t": return .scalar(0x09)
        case "n": return .scalar(0x0A)
        case "v": return .scalar(0x0B)
        case "f": return .scalar(0x0C)
        case "r": return .scalar(0x0D)
        case "b" where inClass: return .scalar(0x08)
        case "0":
            if let next = peek, ("0"..."9").contains(next) {
                throw fault("octal escapes are not supported; use \\xHH", at: start)
            }
            return .scalar(0)
        case "1"..."9":
            let what = inClass ? "octal escapes are not supported; use \\xHH" : "back references are not supported"
            throw fault(what, at: start)
        case "k": throw fault("back references are not supported", at: start)
        case "p", "P": throw fault("Unicode properties such as '\\p{L}' are not supported", at: start)
        case "c":
            guard let letter = peek, letter.isASCII, letter.properties.isAlphabetic else {
                throw fault("'\\c' needs a letter after it", at: start)
            }
            index += 1
            return .scalar(letter.value & 31)
        case "x": return .scalar(try hexadecimal(2, from: start))
        case "u": return .scalar(try codeUnits(from: start))
        default: return .scalar(scalar.value)
        }
    }

    /// Reads the digits of `\uHHHH`, and of the second `\uHHHH` of a surrogate pair.
    private mutating func codeUnits(from start: Int) throws(RegularExpressionError) -> UInt32 {
        let unit = try hexadecimal(4, from: start)
        guard (0xD800...0xDFFF).contains(unit) else { return unit }
        if unit < 0xDC00, take("\\"), take("u") {
            let second = try hexadecimal(4, from: start)
            if (0xDC00...0xDFFF).contains(second) { return 0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00) }
        }
        throw fault("half of a surrogate pair matches nothing", at: start)
    }

    private mutating func hexadecimal(_ count: Int, from start: Int) throws(RegularExpressionError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let digit = peek.flatMap({ Character($0).hexDigitValue }), peek?.isASCII == true else {
                throw fault("an escape of a character needs \(count) hexadecimal digits", at: start)
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }
}
