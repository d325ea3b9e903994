import TrackerPlatform

/// An event in a segment: a header, the payload, and zero to seven bytes of padding.
///
/// In a file the header begins with a seal, which proves that the record is complete and to which use of the segment it
/// belongs, and a mark, which shows whether the record is done. Two words follow; in memory that ends with the process,
/// the header consists of them only.
package struct EventRecord {
    /// The index of the namespace in the process that tracked the event, below 2¹⁸.
    let namespace: Int
    let isAnonymous: Bool
    /// The time of tracking, in milliseconds since 1970, below 2⁴⁴.
    let time: Int64
    /// The number of the event among those of its tracker, counted in 32 bits.
    let sequence: UInt32
    package let payload: UnsafeRawBufferPointer

    /// The size of the header in a file, in bytes.
    package static let headerSize = 32
    /// The size of the header in memory that ends with the process, in bytes.
    static let shortHeaderSize = 16
    /// The maximum size of a record, in bytes.
    static let maxSize = 1 << 27
    private static let namespaceBits: UInt64 = 18
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    /// The number whose product with ``factor`` is 1.
    private static let inverse: UInt64 = 0xF1DE_83E1_9937_733D

    package init(namespace: Int, isAnonymous: Bool, time: Int64, sequence: UInt64, payload: UnsafeRawBufferPointer) {
        (self.namespace, self.isAnonymous) = (namespace, isAnonymous)
        self.time = min(max(time, 0), 1 << 44 - 1)
        (self.sequence, self.payload) = (UInt32(truncatingIfNeeded: sequence), payload)
    }

    /// The size of the record in bytes.
    func size(hasSeal: Bool) -> Int {
        ((hasSeal ? Self.headerSize : Self.shortHeaderSize) + payload.count + 7) & ~7
    }

    /// The namespace, flag and time, and the length and sequence.
    private var words: (UInt64, UInt64) {
        (
            UInt64(time) << (Self.namespaceBits + 1) | UInt64(namespace) << 1 | (isAnonymous ? 1 : 0),
            UInt64(payload.count) << 32 | UInt64(sequence)
        )
    }

    /// The content that the seal protects, except for the record's offset.
    private var checksum: UInt64 {
        let words = words
        return RowChecksum.of(payload, words.0, words.1)
    }

    /// Writes the record.
    /// - Parameters:
    ///   - segment: The segment, with room at the offset.
    ///   - offset: The start of the record.
    ///   - generation: The use of the segment, so that records of an earlier use are not valid in this one; nil for
    ///     memory that ends with the process.
    @inline(__always)
    func write(to segment: UnsafeMutableRawPointer, at offset: Int, generation: UInt64?) {
        var pointer = segment + offset
        let words = words
        if let generation {
            pointer.storeBytes(of: checksum ^ Self.seal(generation, offset), as: UInt64.self)
            pointer += Self.headerSize - Self.shortHeaderSize
        }
        pointer.storeBytes(of: words.0, as: UInt64.self)
        pointer.storeBytes(of: words.1, toByteOffset: 8, as: UInt64.self)
        (pointer + Self.shortHeaderSize).copyMemory(from: payload.baseAddress!, byteCount: payload.count)
    }

    /// Reads the bytes of a record without verifying the checksum; nil if the record would not fit.
    init?(unchecked bytes: UnsafeRawBufferPointer, at offset: Int, hasSeal: Bool) {
        let start = offset + (hasSeal ? Self.headerSize : Self.shortHeaderSize)
        guard offset >= 0, start <= bytes.count else { return nil }
        let first = bytes.loadUnaligned(fromByteOffset: start - 16, as: UInt64.self)
        let second = bytes.loadUnaligned(fromByteOffset: start - 8, as: UInt64.self)
        let end = start + Int(second >> 32)
        guard end <= bytes.count else { return nil }
        self.init(
            namespace: Int(first >> 1) & (1 << Int(Self.namespaceBits) - 1), isAnonymous: first & 1 != 0,
            time: Int64(first >> (Self.namespaceBits + 1)), sequence: UInt64(second & 0xFFFF_FFFF),
            payload: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    }

    /// Returns whether the record is complete and belongs to a use of the segment.
    /// - Parameters:
    ///   - bytes: The bytes that contain the record.
    ///   - start: The start of the record in the bytes.
    ///   - offset: The start of the record in the segment.
    ///   - generation: The use.
    /// - Returns: Whether the seal is valid.
    func isSealed(in bytes: UnsafeRawBufferPointer, at start: Int, _ offset: Int, _ generation: UInt64) -> Bool {
        checksum ^ bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self) == Self.seal(generation, offset)
    }

    /// The use of the segment in which a record was sealed; nil if the record is damaged.
    func generation(in segment: UnsafeRawBufferPointer, at offset: Int) -> UInt64? {
        let seal = checksum ^ segment.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let generation = (seal &- UInt64(offset)) &* Self.inverse
        return LogFormat.generations.contains(generation) ? generation : nil
    }

    private static func seal(_ generation: UInt64, _ offset: Int) -> UInt64 {
        (generation &* factor) &+ UInt64(offset)
    }
}

/// The mark of a record that is done: it was sent, is never sent, or is in another file. Any other value: it waits.
enum DoneMark {
    /// The offset of the mark in a record.
    static let offset = 8

    /// The mark of the record at an offset of a segment, for a use of the segment.
    ///
    /// An earlier use leaves other bytes there: another mark, or text, which contains no byte 0xFF.
    static func of(_ generation: UInt64, _ offset: Int) -> UInt64 {
        (generation << 24 &+ UInt64(offset)) &* 0x9E37_79B9_7F4A_7C15 | 0xFF00_0000_0000_00FF
    }
}
