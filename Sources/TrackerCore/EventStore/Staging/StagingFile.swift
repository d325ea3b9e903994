import Glibc

/// The layout of a staging file.
///
/// A file is a header of 4096 bytes, in which ``UnremovedRows`` are noted, and segments, as a rule of 512 KiB: 16 of them, and
/// more while many events wait. A segment begins with three pairs of words: its generation, the end of the tracked records, and the
/// end of those that are sent or in the store. A third copy of each is at the end of the segment, so that damage of one page leaves one. A kill
/// between the writes leaves different values, and the records determine the right one.
package struct StagingFile: Sendable {
    package static let headerSize = 4096
    package static let segmentHeaderSize = 64
    /// The bytes at the end of a segment in which the words are once more.
    static let segmentTailSize = 64
    /// The segments of a file that has not grown.
    package static let segmentCount = 16
    /// The uses of segments that a file can have seen. They count up from 1.
    static let generations: Range<UInt64> = 1..<1 << 40
    /// The most segments of a file.
    static let maxSegments = 4096
    /// The layout that services have.
    package static let standard = StagingFile(segmentSize: 512 << 10)
    /// The first eight bytes of a file, `TCSTAGE2` in the order of this machine's bytes, by which a release with another layout
    /// will know it.
    static let magic: UInt64 = 0x3245_4741_5453_4354
    /// The same of release 0.2.0, whose segments have no words at the end and may have records there.
    private static let formerMagic: UInt64 = 0x3145_4741_5453_4354
    /// Where the number of segments is in the file's header, twice.
    private static let countOffset = 8

    /// The words of a segment's header; the copy of each comes right after it.
    enum Word: Int, CaseIterable {
        case generation = 0
        case published = 16
        case drained = 32
    }

    package static func path(_ slot: Int, in directory: String) -> String { "\(directory)/events-\(slot).staging" }

    /// The bytes of a segment, a multiple of 4096.
    package let segmentSize: Int

    package init(segmentSize: Int) {
        self.segmentSize = segmentSize
    }

    /// The bytes of a file that has not grown.
    package var size: Int { start(of: Self.segmentCount) }

    /// Where a segment begins in a file.
    package func start(of index: Int) -> Int { Self.headerSize + index * segmentSize }

    /// Where the third copy of a word is in a segment.
    func tailOffset(_ word: Word) -> Int { segmentSize - Self.segmentTailSize + word.rawValue }

    /// The end of the part of a segment in which records are.
    var recordsEnd: Int { segmentSize - Self.segmentTailSize }

    /// The number of segments of which so many bytes have at least a part, at most ``maxSegments``.
    package func count(inBytes size: Int) -> Int {
        min(Self.maxSegments, max(0, size - Self.headerSize + segmentSize - 1) / segmentSize)
    }

    /// Notes how many segments there are.
    static func note(count: Int, in header: UnsafeMutableRawPointer) {
        for copy in 0...1 {
            header.storeBytes(of: UInt64(count), toByteOffset: countOffset + 8 * copy, as: UInt64.self)
        }
    }

    /// The number of segments that a file is to have.
    func notedCount(in bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes.count >= Self.countOffset + 16 else { return Self.segmentCount }
        let words = [0, 8].map { bytes.loadUnaligned(fromByteOffset: Self.countOffset + $0, as: UInt64.self) }
        let isNoted = words[0] == words[1] && words[0] > Self.segmentCount && words[0] <= Self.maxSegments
        return isNoted ? Int(words[0]) : Self.segmentCount
    }

    /// Whether segments have words at their end.
    func hasTails(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= 8 && bytes.loadUnaligned(as: UInt64.self) != Self.formerMagic
    }

    /// The values of a word that a segment has, without those that none can have.
    func words(_ word: Word, of segment: UnsafeRawBufferPointer, hasTail: Bool) -> [UInt64] {
        var offsets = [word.rawValue, word.rawValue + 8]
        if hasTail, segment.count == segmentSize { offsets.append(tailOffset(word)) }
        return offsets.filter { $0 + 8 <= segment.count }
            .map { segment.loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
            .filter { word == .generation ? Self.generations.contains($0) : isPossible(StagedEnd(word: $0)) }
    }

    private func isPossible(_ end: StagedEnd) -> Bool {
        (Self.segmentHeaderSize...segmentSize).contains(end.offset) && end.offset % 8 == 0
            && end.count <= (end.offset - Self.segmentHeaderSize) / StagedRecord.headerSize
    }
}

extension [UInt64] {
    /// The value that two copies of a word have, else the lowest; nil without any.
    var agreed: UInt64? { first { value in count { $0 == value } > 1 } ?? self.min() }
}
