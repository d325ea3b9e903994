/// The 32-bit FNV-1a hash over whole UTF-16 code units, as in GrowthBook's JavaScript SDK.
struct FNV1a32 {
    /// The hash of all units so far.
    private(set) var value: UInt32 = 0x811C_9DC5

    /// Adds a text's UTF-16 code units.
    mutating func combine(_ text: String) {
        let start = value
        // ASCII's bytes are its code units, and decoding them would cost more than the hash.
        let isASCII = text.utf8.withContiguousStorageIfAvailable { bytes in
            for byte in bytes { combine(UInt32(byte)) }
            return bytes.allSatisfy { $0 < 0x80 }
        }
        if isASCII == true { return }
        value = start
        for unit in text.utf16 { combine(UInt32(unit)) }
    }

    private mutating func combine(_ unit: UInt32) {
        value = (value ^ unit) &* 0x0100_0193
    }
}
