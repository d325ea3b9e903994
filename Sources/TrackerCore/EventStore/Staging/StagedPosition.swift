/// How far a segment of the staging area is in the store.
package struct StagedPosition: Equatable {
    /// The segment's index.
    let segment: Int
    /// The use of the segment, which never repeats in a file.
    let generation: UInt64
    /// Where the next record begins, and how many come before it.
    let end: StagedEnd

    /// Whether another position of the segment is farther.
    func isBehind(_ other: StagedPosition) -> Bool {
        (generation, end.offset) < (other.generation, other.end.offset)
    }
}

/// The end of records in a segment: an offset and a count in one word, so that both are written at once.
struct StagedEnd: Equatable {
    /// The bytes from the segment's beginning.
    var offset: Int
    /// The records up to there.
    var count: Int

    /// Where the first record of a segment begins.
    static let start = StagedEnd(offset: StagingFile.segmentHeaderSize, count: 0)

    init(offset: Int, count: Int) {
        (self.offset, self.count) = (offset, count)
    }

    init(word: UInt64) {
        (offset, count) = (Int(word & 0xFFFF_FFFF), Int(word >> 32))
    }

    var word: UInt64 { UInt64(count) << 32 | UInt64(offset) }
}
