/// An event in a segment of the staging area: a header of 32 bytes, the payload, and zero to seven bytes of padding.
package struct StagedRecord {
    /// The index of its namespace in the process that tracked it.
    let namespace: Int
    let isAnonymous: Bool
    /// When it was tracked, in milliseconds since 1970.
    let time: Int64
    /// Its place among the events of its tracker.
    let sequence: UInt64
    let payload: UnsafeRawBufferPointer

    static let headerSize = 32
    static let maxPayload = Int(UInt32.max)
    private static let anonymous: UInt32 = 1 << 31

    /// The bytes that an event with so large a payload takes.
    static func size(ofPayload count: Int) -> Int { (headerSize + count + 7) & ~7 }

    var size: Int { Self.size(ofPayload: payload.count) }

    /// What the checksum protects, but for the place of the record.
    private var checksum: UInt64 {
        UInt64(bitPattern: RowChecksum.of(id: Int64(namespace), time: time, isAnonymous: isAnonymous, payload: payload))
            &+ sequence
    }

    /// Writes the record.
    /// - Parameters:
    ///   - segment: The segment, with room at the offset.
    ///   - offset: Where the record begins.
    ///   - generation: The use of the segment, so that what an earlier use left is no record of this one; nil for memory
    ///     that ends with the process, where no checksum is needed.
    func write(to segment: UnsafeMutableRawPointer, at offset: Int, generation: UInt64?) {
        let place = segment + offset
        if let generation { place.storeBytes(of: checksum ^ Self.seal(generation, offset), as: UInt64.self) }
        place.storeBytes(of: time, toByteOffset: 8, as: Int64.self)
        place.storeBytes(of: sequence, toByteOffset: 16, as: UInt64.self)
        place.storeBytes(of: UInt32(payload.count), toByteOffset: 24, as: UInt32.self)
        let owner = UInt32(namespace) | (isAnonymous ? Self.anonymous : 0)
        place.storeBytes(of: owner, toByteOffset: 28, as: UInt32.self)
        (place + Self.headerSize).copyMemory(from: payload.baseAddress!, byteCount: payload.count)
    }

    package init(namespace: Int, isAnonymous: Bool, time: Int64, sequence: UInt64, payload: UnsafeRawBufferPointer) {
        (self.namespace, self.isAnonymous, self.time) = (namespace, isAnonymous, time)
        (self.sequence, self.payload) = (sequence, payload)
    }

    /// Reads what may be a record; nil unless it is whole and of this use.
    /// - Parameters:
    ///   - segment: The segment, or the beginning of one.
    ///   - offset: Where the record would begin, a multiple of eight.
    ///   - generation: The use of the segment.
    init?(_ segment: UnsafeRawBufferPointer, at offset: Int, generation: UInt64) {
        guard let found = Self(unchecked: segment, at: offset) else { return nil }
        let seal = segment.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        guard found.checksum ^ Self.seal(generation, offset) == seal else { return nil }
        self = found
    }

    /// Reads what stands where a record would be, without its checksum; nil if it would not fit.
    init?(unchecked segment: UnsafeRawBufferPointer, at offset: Int) {
        guard offset >= 0, offset + Self.headerSize <= segment.count else { return nil }
        let count = Int(segment.loadUnaligned(fromByteOffset: offset + 24, as: UInt32.self))
        guard offset + Self.headerSize + count <= segment.count else { return nil }
        let owner = segment.loadUnaligned(fromByteOffset: offset + 28, as: UInt32.self)
        let start = offset + Self.headerSize
        self.init(
            namespace: Int(owner & ~Self.anonymous), isAnonymous: owner & Self.anonymous != 0,
            time: segment.loadUnaligned(fromByteOffset: offset + 8, as: Int64.self),
            sequence: segment.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self),
            payload: UnsafeRawBufferPointer(rebasing: segment[start..<start + count]))
    }

    private static func seal(_ generation: UInt64, _ offset: Int) -> UInt64 {
        (generation &* 0x9E37_79B9_7F4A_7C15) &+ UInt64(offset)
    }
}
