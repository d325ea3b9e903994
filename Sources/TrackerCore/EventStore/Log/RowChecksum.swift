/// The checksum of bytes, which detects damage.
///
/// Four lanes of word-wise multiplication, because a byte-wise checksum would cost more than the rest of a record. Each
/// step is a bijection of its word, so damage within one word is always found.
enum RowChecksum {
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Returns the checksum of bytes and two words.
    static func of(_ bytes: UnsafeRawBufferPointer, _ first: UInt64 = 0, _ second: UInt64 = 0) -> UInt64 {
        var lanes = (first, second, factor, UInt64(bytes.count))
        var offset = 0
        while offset + 32 <= bytes.count {
            lanes.0 = mix(lanes.0, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            lanes.1 = mix(lanes.1, bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
            lanes.2 = mix(lanes.2, bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
            lanes.3 = mix(lanes.3, bytes.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self))
            offset += 32
        }
        while offset + 8 <= bytes.count {
            lanes.0 = mix(lanes.0, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        while offset < bytes.count {
            lanes.0 = mix(lanes.0, UInt64(bytes[offset]))
            offset += 1
        }
        return mix(mix(mix(mix(factor, lanes.0), lanes.1), lanes.2), lanes.3)
    }

    @inline(__always)
    private static func mix(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        let product = (lane ^ word) &* factor
        return product ^ (product >> 32)
    }
}
