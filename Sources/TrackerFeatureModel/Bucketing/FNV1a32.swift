/// The 32-bit FNV-1a hash over UTF-16 code units, each XORed whole, as GrowthBook's JavaScript SDK has it.
struct FNV1a32 {
    /// The hash of all units so far.
    private(set) var value: UInt32 = 0x811C_9DC5

    /// Adds a text's UTF-16 code units.
    mutating func combine(_ text: String) {
        let start = value
        // ASCII's bytes are its code units, and decoding them would cost more than the hash.
        let isASCII = text.utf8.withContiguousStorageIfAvailable { combine(ascii: $0) }
        guard isASCII != true else { return }
        value = start
        for unit in text.utf16 { combine(UInt32(unit)) }
    }

    /// Adds a number's decimal digits.
    mutating func combine(decimal number: UInt32) {
        // The last digit comes first, so four bits each keep them until all are known; ten digits fit.
        var rest = number
        var digits: UInt64 = 0
        var count = 0
        repeat {
            digits = digits << 4 | UInt64(rest % 10)
            rest /= 10
            count += 1
        } while rest > 0
        for _ in 0..<count {
            combine(0x30 + UInt32(digits & 15))
            digits >>= 4
        }
    }

    /// Adds bytes up to the first that is not ASCII.
    /// - Parameter bytes: UTF-8.
    /// - Returns: Whether all are ASCII.
    private mutating func combine(ascii bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        for byte in bytes {
            guard byte < 0x80 else { return false }
            combine(UInt32(byte))
        }
        return true
    }

    @inline(__always)
    private mutating func combine(_ unit: UInt32) {
        value = (value ^ unit) &* 0x0100_0193
    }
}
