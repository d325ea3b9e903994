/// The 64-bit FNV-1a hash (http://www.isthe.com/chongo/tech/comp/fnv/): the same in every process and release.
package struct StableHash: Sendable {
    /// The hash of all bytes so far.
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    /// Adds bytes.
    package mutating func combine(_ bytes: some Sequence<UInt8>) {
        // Contiguous bytes are read in place: an unspecialised sequence costs a hundred times the hash.
        if bytes.withContiguousStorageIfAvailable({ add($0) }) == nil { add(bytes) }
    }

    private mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
    }

    /// Adds bytes, eight at a time, for the size of a document; the hash differs from that of ``combine(_:)``.
    package mutating func combine(words bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                value = (value ^ word) &* 0x0000_0100_0000_01b3
                // Otherwise differences in the highest bits would stay there.
                value ^= value >> 29
            }
            combine(bytes.suffix(bytes.count % 8))
        }
        combine(withUnsafeBytes(of: UInt64(bytes.count).littleEndian, Array.init))
    }

    /// The hash as 16 hexadecimal digits.
    package var hex: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
