/// A set of ASCII characters in 128 bits.
struct ASCIISet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
    }

    mutating func formUnion(_ other: ASCIISet) {
        low |= other.low
        high |= other.high
    }

    /// Whether the set has a character, which must be less than 128.
    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        (byte < 64 ? low : high) &>> UInt64(byte & 63) & 1 != 0
    }
}
