/// The 32-bit FNV-1a hash over UTF-16 code units, each XORed whole, as GrowthBook's JavaScript SDK has it.
struct FNV1a32 {
    /// The hash of all units so far.
    private(set) var value: UInt32 = 0x811C_9DC5

    /// Adds a text's UTF-16 code units.
    mutating func combine(_ text: String) {
        // ASCII's bytes are its code units, and decoding them would cost more than the hash.
        if text.utf8.count == text.utf16.count {
            for byte in text.utf8 { combine(UInt32(byte)) }
        } else {
            for unit in text.utf16 { combine(UInt32(unit)) }
        }
    }

    private mutating func combine(_ unit: UInt32) {
        value = (value ^ unit) &* 0x0100_0193
    }
}
