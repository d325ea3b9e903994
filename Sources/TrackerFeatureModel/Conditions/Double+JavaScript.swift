extension Double {
    /// The number of a text, as JavaScript's `Number(text)`: 0 for a blank text, not a number for most others.
    init(javaScript text: String) {
        let isSpace = { (scalar: UInt32) in ScalarSet.spaces.contains { $0.contains(scalar) } }
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isSpace($0.value) }),
            let last = scalars.lastIndex(where: { !isSpace($0.value) })
        else {
            self = 0
            return
        }
        let digits = scalars[first...last]
        self = Self.literal(digits) ?? .nan
    }

    private static func literal(_ text: Substring.UnicodeScalarView) -> Double? {
        for (prefix, radix) in [("x", 16.0), ("o", 8), ("b", 2)] {
            guard text.count > 2, text.first == "0", String(text.dropFirst().prefix(1)).lowercased() == prefix else {
                continue
            }
            return number(text.dropFirst(2), radix: radix)
        }
        let unsigned = text.first == "-" || text.first == "+" ? text.dropFirst() : text
        if String(unsigned) == "Infinity" { return text.first == "-" ? -.infinity : .infinity }
        // Swift reads "nan", "inf" and hexadecimal fractions too, which JavaScript doesn't.
        let isDecimal = text.allSatisfy { "0123456789+-.eE".unicodeScalars.contains($0) }
        let hasDigit = unsigned.first.map { ("0"..."9").contains($0) || $0 == "." } ?? false
        return isDecimal && hasDigit ? Double(String(text)) : nil
    }

    private static func number(_ digits: Substring.UnicodeScalarView, radix: Double) -> Double? {
        var value = 0.0
        for scalar in digits {
            guard scalar.isASCII, let digit = Character(scalar).hexDigitValue, Double(digit) < radix else { return nil }
            value = value * radix + Double(digit)
        }
        return value
    }

    /// The number as JavaScript writes it: in digits from 0.000001 up to 21 places before the point.
    var javaScriptText: String {
        guard isFinite else { return isNaN ? "NaN" : self < 0 ? "-Infinity" : "Infinity" }
        if self == 0 { return "0" }
        // Both write the fewest digits that distinguish the number from its neighbours, but place the point differently.
        let parts = magnitude.description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let fraction = mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : ""
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let written = mantissa[0] + fraction
        let leading = written.prefix { $0 == "0" }.count
        let trailing = written.reversed().prefix { $0 == "0" }.count
        let digits = String(written.dropFirst(leading).dropLast(trailing))
        // The value is 0.DIGITS times ten to the power of `point`.
        let point = mantissa[0].count - leading + exponent
        return (self < 0 ? "-" : "") + Self.text(digits, point: point)
    }

    private static func text(_ digits: String, point: Int) -> String {
        let zeros = { (count: Int) in String(repeating: "0", count: count) }
        switch point {
        case digits.count...21 where digits.count <= 21: return digits + zeros(point - digits.count)
        case 1...21: return digits.prefix(point) + "." + digits.dropFirst(point)
        case -5...0: return "0." + zeros(-point) + digits
        default:
            let fraction = digits.count > 1 ? "." + digits.dropFirst() : ""
            let exponent = point - 1
            return digits.prefix(1) + fraction + "e" + (exponent < 0 ? "-" : "+") + String(exponent.magnitude)
        }
    }
}
