/// The checksum of a row of the event store, which detects a damaged row.
///
/// Four lanes of word-wise multiplication, because a byte-wise checksum would cost more than the rest of an insert. Each
/// step is a bijection of its word, so damage within one word is always found.
enum RowChecksum {
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Returns the checksum of a row.
    /// - Parameters:
    ///   - id: The row's id.
    ///   - time: When the event was tracked, in milliseconds since 1970.
    ///   - isAnonymous: Whether it was tracked under server anonymisation.
    ///   - payload: The event.
    /// - Returns: The checksum, as SQLite keeps it.
    static func of(id: Int64, time: Int64, isAnonymous: Bool, payload: UnsafeRawBufferPointer) -> Int64 {
        var lanes = (
            UInt64(bitPattern: id), UInt64(bitPattern: time), isAnonymous ? factor : 1, UInt64(payload.count)
        )
        var offset = 0
        while offset + 32 <= payload.count {
            lanes.0 = mix(lanes.0, payload.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            lanes.1 = mix(lanes.1, payload.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
            lanes.2 = mix(lanes.2, payload.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
            lanes.3 = mix(lanes.3, payload.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self))
            offset += 32
        }
        while offset + 8 <= payload.count {
            lanes.0 = mix(lanes.0, payload.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        while offset < payload.count {
            lanes.0 = mix(lanes.0, UInt64(payload[offset]))
            offset += 1
        }
        return Int64(bitPattern: mix(mix(mix(mix(factor, lanes.0), lanes.1), lanes.2), lanes.3))
    }

    @inline(__always)
    private static func mix(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        let product = (lane ^ word) &* factor
        return product ^ (product >> 32)
    }
}
