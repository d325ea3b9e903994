extension JSONValue {
    /// An integer beyond 64 bits, stored as its digits.
    ///
    /// ```swift
    /// if let integer = JSONValue.LargeInteger("18446744073709551615") { data["id"] = .largeInteger(integer) }
    /// ```
    public struct LargeInteger: Sendable, Hashable, CustomStringConvertible {
        /// The decimal digits, with a minus sign if the integer is negative, and without leading zeros.
        public let digits: String

        /// Creates an integer from its digits; nil if the text is not an integer, if an `Int` can hold the number, or
        /// if it is beyond the range of a `Double`, which other readers of JSON refuse.
        /// - Parameter digits: Decimal digits without leading zeros, after a minus sign if the integer is negative.
        public init?(_ digits: String) {
            let magnitude = digits.utf8.drop { $0 == UInt8(ascii: "-") }
            guard digits.utf8.count - magnitude.count <= 1, let first = magnitude.first, first != UInt8(ascii: "0"),
                magnitude.allSatisfy({ 0x30...0x39 ~= $0 }), Int(digits) == nil,
                let number = Double(digits), number.isFinite
            else { return nil }
            self.digits = digits
        }

        /// The nearest `Double`.
        public var double: Double {
            // The initializer takes no digits that have none.
            Double(digits) ?? 0
        }

        /// The digits.
        public var description: String { digits }
    }
}
