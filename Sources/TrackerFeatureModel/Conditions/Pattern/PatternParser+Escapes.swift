extension PatternParser {
    /// Reads an escape after its backslash.
    mutating func escape(inClass: Bool) throws(RegularExpressionError) -> [ClosedRange<UInt32>] {
        let start = index - 1
        guard let scalar = peek else { throw fault("the pattern ends with a backslash", at: start) }
        index += 1
        let value: UInt32
        switch scalar {
        case "d": return ScalarSet.digits
        case "D": return ScalarSet.complement(ScalarSet.digits)
        case "w": return ScalarSet.words
        case "W": return ScalarSet.complement(ScalarSet.words)
        case "s": return ScalarSet.spaces
        case "S": return ScalarSet.complement(ScalarSet.spaces)
        case "t": value = 0x09
        case "n": value = 0x0A
        case "v": value = 0x0B
        case "f": value = 0x0C
        case "r": value = 0x0D
        case "b" where inClass: value = 0x08
        case "0":
            if let next = peek, "0"..."9" ~= next {
                throw fault("octal escapes are not supported; use \\xHH", at: start)
            }
            value = 0
        case "1"..."9" where inClass: throw fault("octal escapes are not supported; use \\xHH", at: start)
        case "1"..."9", "k": throw fault("back references are not supported", at: start)
        case "p", "P": throw fault("Unicode properties such as '\\p{L}' are not supported", at: start)
        case "c":
            guard let letter = peek, letter.isASCII, letter.properties.isAlphabetic else {
                throw fault("'\\c' needs a letter after it", at: start)
            }
            index += 1
            value = letter.value & 31
        case "x": value = try hexadecimal(2, from: start)
        case "u":
            value = try hexadecimal(4, from: start)
            if 0xD800...0xDFFF ~= value { throw fault("write the character in the place of its surrogates", at: start) }
        default: value = scalar.value
        }
        return [value...value]
    }

    private mutating func hexadecimal(_ count: Int, from start: Int) throws(RegularExpressionError) -> UInt32 {
        let digits = scalars[index...].prefix(count)
        guard digits.count == count, digits.allSatisfy({ $0.isASCII && $0.properties.isASCIIHexDigit }),
            let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
        else { throw fault("an escape of a character needs \(count) hexadecimal digits", at: start) }
        index += count
        return value
    }
}
