/// The order of UTF-16 code units, over UTF-8.
enum UTF16Order {
    /// Compares two texts.
    /// - Returns: A negative number if the left one comes first, 0 if both are equal.
    static func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return weight(left[index]) - weight(right[index])
        }
        return left.count - right.count
    }

    /// Surrogates, which begin with F0…F4 in UTF-8, come before U+E000…U+FFFF, which begin with EE and EF.
    private static func weight(_ byte: UInt8) -> Int {
        byte == 0xEE || byte == 0xEF ? Int(byte) + 0x10 : Int(byte)
    }
}

extension String {
    /// Whether the text comes before another one in the order of UTF-16 code units.
    func precedesInUTF16(_ other: String) -> Bool {
        let result = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { UTF16Order.compare(left, $0) < 0 }
        }
        return (result ?? nil) ?? utf16.lexicographicallyPrecedes(other.utf16)
    }
}
