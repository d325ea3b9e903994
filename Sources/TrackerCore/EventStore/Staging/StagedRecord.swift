/// An event in a segment of the staging area: a header of 32 bytes, the payload, and zero to seven bytes of padding.
///
/// A namespace that the payload does not name in full comes after the payload, and then its length as four bytes. The header
/// begins with a seal, which says that the record is whole, to which use of the segment it belongs, and whether it was sent.
package struct StagedRecord {
    /// The index of its namespace in the process that tracked it.
    let namespace: Int
    /// The namespace, if the payload does not name it in full.
    let name: UnsafeRawBufferPointer?
    let isAnonymous: Bool
    /// When it was tracked, in milliseconds since 1970.
    let time: Int64
    /// Its place among the events of its tracker.
    let sequence: UInt64
    let payload: UnsafeRawBufferPointer
    /// Its place in the staging file, by which it is marked as sent; nil if the event is not held there.
    var place: HeldRecords.Place?

    package static let headerSize = 32
    private static let anonymous: UInt32 = 1 << 31
    private static let named: UInt32 = 1 << 30
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    /// The number whose product with ``factor`` is 1.
    private static let inverse: UInt64 = 0xF1DE_83E1_9937_733D
    /// What is different in the seal of a sent record. A damaged bit makes no record a sent one.
    private static let sentMask: UInt64 = 0xA5C3_96F0_5A3C_690F

    /// The bytes behind the header, without the padding.
    private var bodySize: Int { payload.count + (name.map { $0.count + 4 } ?? 0) }

    var size: Int { (Self.headerSize + bodySize + 7) & ~7 }

    /// What the checksum protects, but for the place of the record.
    private var checksum: UInt64 {
        let own = RowChecksum.of(id: Int64(namespace), time: time, isAnonymous: isAnonymous, payload: payload)
        let ofName = name.map { RowChecksum.of(id: 0, time: 0, isAnonymous: false, payload: $0) } ?? 0
        return UInt64(bitPattern: own ^ ofName) &+ sequence
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
        place.storeBytes(of: UInt32(bodySize), toByteOffset: 24, as: UInt32.self)
        let owner = UInt32(namespace) | (isAnonymous ? Self.anonymous : 0) | (name != nil ? Self.named : 0)
        place.storeBytes(of: owner, toByteOffset: 28, as: UInt32.self)
        let body = place + Self.headerSize
        body.copyMemory(from: payload.baseAddress!, byteCount: payload.count)
        if let name, let start = name.baseAddress {
            (body + payload.count).copyMemory(from: start, byteCount: name.count)
            withUnsafeBytes(of: UInt32(name.count)) { length in
                (body + payload.count + name.count).copyMemory(from: length.baseAddress!, byteCount: 4)
            }
        }
    }

    package init(
        namespace: Int, name: UnsafeRawBufferPointer? = nil, isAnonymous: Bool, time: Int64, sequence: UInt64,
        payload: UnsafeRawBufferPointer
    ) {
        (self.namespace, self.name, self.isAnonymous, self.time) = (namespace, name, isAnonymous, time)
        (self.sequence, self.payload) = (sequence, payload)
    }

    /// Reads what stands where a record would be, without its checksum; nil if it would not fit.
    init?(unchecked segment: UnsafeRawBufferPointer, at offset: Int) {
        guard offset >= 0, offset + Self.headerSize <= segment.count else { return nil }
        let count = Int(segment.loadUnaligned(fromByteOffset: offset + 24, as: UInt32.self))
        guard offset + Self.headerSize + count <= segment.count else { return nil }
        let owner = segment.loadUnaligned(fromByteOffset: offset + 28, as: UInt32.self)
        let start = offset + Self.headerSize
        var (end, name) = (start + count, UnsafeRawBufferPointer?.none)
        if owner & Self.named != 0 {
            guard count >= 4 else { return nil }
            let length = Int(segment.loadUnaligned(fromByteOffset: end - 4, as: UInt32.self))
            guard length <= count - 4 else { return nil }
            name = UnsafeRawBufferPointer(rebasing: segment[end - 4 - length..<end - 4])
            end -= 4 + length
        }
        self.init(
            namespace: Int(owner & ~(Self.anonymous | Self.named)), name: name,
            isAnonymous: owner & Self.anonymous != 0,
            time: segment.loadUnaligned(fromByteOffset: offset + 8, as: Int64.self),
            sequence: segment.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self),
            payload: UnsafeRawBufferPointer(rebasing: segment[start..<end]))
    }

    /// The use of the segment with which a record was sealed; nil if the record is damaged.
    func generation(in segment: UnsafeRawBufferPointer, at offset: Int) -> UInt64? {
        let seal = checksum ^ segment.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return [seal, seal ^ Self.sentMask].lazy.map { ($0 &- UInt64(offset)) &* Self.inverse }
            .first(where: StagingFile.generations.contains)
    }

    /// Whether a record was marked as sent; nil if it is damaged or of another use of the segment.
    func isSent(in segment: UnsafeRawBufferPointer, at offset: Int, _ generation: UInt64) -> Bool? {
        switch checksum ^ segment.loadUnaligned(fromByteOffset: offset, as: UInt64.self) {
        case Self.seal(generation, offset): false
        case Self.seal(generation, offset) ^ Self.sentMask: true
        default: nil
        }
    }

    /// Marks a record as sent, so that no later process sends it again.
    static func markSent(in segment: UnsafeMutableRawPointer, at offset: Int) {
        let place = (segment + offset).assumingMemoryBound(to: UInt64.self)
        place.pointee ^= sentMask
    }

    private static func seal(_ generation: UInt64, _ offset: Int) -> UInt64 {
        (generation &* factor) &+ UInt64(offset)
    }
}
