extension JSONReader {
    /// The powers of ten by which a fraction of at most fifteen digits is divided.
    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// Reads a number.
    mutating func number() throws(JSONError) {
        let start = index
        let isNegative = takeByte(UInt8(ascii: "-"))
        let isZero = index < count && bytes[index] == UInt8(ascii: "0")
        var digits = 0
        let whole = skipDigits(&digits)
        guard whole > 0, !(isZero && whole > 1) else { throw badNumber(from: start) }
        // Most have neither fraction nor exponent.
        let next = index < count ? bytes[index] : 0
        if next != UInt8(ascii: "."), next | 0x20 != UInt8(ascii: "e"), whole <= 15 {
            return add(.integer, at: start, isNegative ? -digits : digits)
        }
        var fraction = 0
        if takeByte(UInt8(ascii: ".")) {
            fraction = skipDigits(&digits)
            guard fraction > 0 else { throw badNumber(from: start) }
        }
        let hasExponent = takeByte(UInt8(ascii: "e")) || takeByte(UInt8(ascii: "E"))
        if hasExponent {
            if !takeByte(UInt8(ascii: "+")) { _ = takeByte(UInt8(ascii: "-")) }
            var exponent = 0
            guard skipDigits(&exponent) > 0 else { throw badNumber(from: start) }
        } else if fraction > 0, whole + fraction <= 15 {
            // A `Double` holds both exactly, so the quotient is the nearest.
            let value = Double(digits) / Self.powersOfTen[fraction]
            return add(JSONText.Entry(isNegative ? -value : value, at: start))
        }
        let text = String(decoding: self.text[start..<index], as: UTF8.self)
        if fraction == 0, !hasExponent {
            guard let integer = Int(text) else { return add(.largeInteger, at: start, text) }
            return add(.integer, at: start, integer)
        }
        guard let value = Double(text), value.isFinite else {
            throw JSONError(code: .numberOutOfRange, reason: "a number too large for JSON readers", offset: start)
        }
        add(JSONText.Entry(value, at: start))
    }

    /// Moves over digits.
    /// - Parameter value: Gets them at its end; of no use beyond eighteen digits.
    /// - Returns: How many there are.
    private mutating func skipDigits(_ value: inout Int) -> Int {
        let start = index
        while index < count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            value = value &* 10 &+ Int(digit)
            index += 1
        }
        return index - start
    }
}
