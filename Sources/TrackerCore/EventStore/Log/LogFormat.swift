import TrackerPlatform

/// The layout of a file of the log.
///
/// A file is a header of 4096 bytes, segments, and as a rule nothing behind them. A segment begins with two pairs of
/// words: its generation, and the end of its records. A third copy of each is at the segment's end, so that damage to
/// one page leaves one copy. A kill between the writes leaves different values, and the records determine the correct
/// one.
package struct LogFormat: Sendable, Hashable {
    package static let headerSize = 4096
    package static let segmentHeaderSize = 64
    /// The size of the end of a segment with the third copies of the words, in bytes.
    static let segmentTailSize = 64
    /// The possible uses of segments in a process, counted from 1.
    static let generations: Range<UInt64> = 1..<1 << 40
    /// The layout of files that are filled.
    package static let standard = LogFormat(segmentSize: 512 << 10, segmentCount: 16)
    /// The maximum size of a file without a header that can be read, in bytes.
    static let maxUnknownSize = 64 << 20

    /// The words of a segment's header; the copy of each comes right after it.
    package enum Word: Int {
        case generation = 0
        case published = 16
    }

    /// The size of a segment in bytes, a multiple of 4096.
    package let segmentSize: Int
    package let segmentCount: Int

    package init(segmentSize: Int, segmentCount: Int) {
        (self.segmentSize, self.segmentCount) = (segmentSize, segmentCount)
    }

    /// The layout of a file with one segment for a number of bytes of records.
    init(recordBytes: Int) {
        let size = Self.segmentHeaderSize + recordBytes + Self.segmentTailSize
        self.init(segmentSize: (size + 4095) & ~4095, segmentCount: 1)
    }

    /// The layout of a file of a known size with a damaged header: one segment, or none.
    package init(wholeFile size: Int) {
        let size = max(0, size - Self.headerSize + 4095) & ~4095
        self.init(segmentSize: max(4096, size), segmentCount: size > 0 ? 1 : 0)
    }

    /// Whether a file can have segments of this size and number.
    static func isPossible(segmentSize: Int, count: Int) -> Bool {
        segmentSize % 4096 == 0 && 4096...2 * EventRecord.maxSize ~= segmentSize
            && (count == 1 || 2...4096 ~= count && segmentSize * count <= RecordAddress.maxOffset)
    }

    /// The size of the header and the segments, in bytes.
    package var size: Int { start(of: segmentCount) }

    /// The offset of a segment in a file.
    package func start(of index: Int) -> Int { Self.headerSize + index * segmentSize }

    /// The segment at an offset in a file, and the offset in the segment.
    package func position(of offset: Int) -> (segment: Int, offset: Int) {
        let (segment, rest) = (offset - Self.headerSize).quotientAndRemainder(dividingBy: segmentSize)
        return (segment, rest)
    }

    /// The end of the records' part of a segment.
    var recordsEnd: Int { segmentSize - Self.segmentTailSize }

    /// The offsets of the copies of a word in a segment.
    package func offsets(of word: Word) -> [Int] { [word.rawValue, word.rawValue + 8, recordsEnd + word.rawValue] }

    /// The copies of a word in a segment, without impossible values.
    func words(_ word: Word, of segment: UnsafeRawBufferPointer) -> [UInt64] {
        offsets(of: word).filter { $0 + 8 <= segment.count }
            .map { segment.loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
            .filter { word == .generation ? Self.generations.contains($0) : isPossible(SegmentEnd(word: $0)) }
    }

    private func isPossible(_ end: SegmentEnd) -> Bool {
        (Self.segmentHeaderSize...recordsEnd).contains(end.offset) && end.offset % 8 == 0
            && end.count <= (end.offset - Self.segmentHeaderSize) / EventRecord.headerSize
    }
}

/// The end of records in a segment: an offset and a count in one word, so that both are written atomically.
package struct SegmentEnd: Equatable {
    /// The offset in the segment, in bytes.
    var offset: Int
    /// The number of records before the offset.
    var count: Int

    /// The start of a segment's first record.
    static let start = SegmentEnd(offset: LogFormat.segmentHeaderSize, count: 0)

    package init(offset: Int, count: Int) {
        (self.offset, self.count) = (offset, count)
    }

    init(word: UInt64) {
        (offset, count) = (Int(word & 0xFFFF_FFFF), Int(word >> 32))
    }

    package var word: UInt64 { UInt64(count) << 32 | UInt64(offset) }
}

/// The header of a file: its layout, and the records that it takes from other files. The file has two copies of it.
package struct LogHeader: Equatable {
    /// A record of another file of the slot that is also in this file, and is done there.
    package struct Taken: Equatable {
        package let file: UInt32
        /// The start of the record, in units of 8 bytes.
        let unit: UInt32
        /// The mark of the record when it is done.
        let mark: UInt64
    }

    /// The result of reading a header.
    package enum Reading: Equatable {
        case header(LogHeader)
        /// A later release wrote the file.
        case newer
        /// The bytes are all zero.
        case blank
        /// The header is damaged, or the file is not a log.
        case unknown
    }

    /// The first six bytes of a file.
    private static let magic = Array("TCLOG0".utf8)
    private static let version: UInt16 = 1
    private static let copies = [0, 2048]
    private static let size = 40

    package var format: LogFormat
    /// The number of taken records; their list follows the segments.
    package private(set) var takenCount = 0
    private var takenChecksum: UInt64 = 0

    package init(format: LogFormat) { self.format = format }

    /// The size of the list in bytes.
    package var takenSize: Int { takenCount * MemoryLayout<Taken>.stride }

    mutating func take(_ taken: [Taken]) {
        takenCount = taken.count
        takenChecksum = taken.withUnsafeBytes { RowChecksum.of($0) }
    }

    /// Reads the list; empty if it is damaged.
    package func taken(in bytes: UnsafeRawBufferPointer) -> [Taken] {
        guard bytes.count == takenSize, RowChecksum.of(bytes) == takenChecksum else { return [] }
        return (0..<takenCount).map {
            bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Taken>.stride, as: Taken.self)
        }
    }

    /// The bytes of the header's page.
    package var bytes: [UInt8] {
        var page = [UInt8](repeating: 0, count: LogFormat.headerSize)
        page.withUnsafeMutableBytes { page in
            for copy in Self.copies {
                page.baseAddress.map { ($0 + copy).copyMemory(from: Self.magic, byteCount: Self.magic.count) }
                page.storeBytes(of: Self.version, toByteOffset: copy + 6, as: UInt16.self)
                for (index, value) in [format.segmentSize, format.segmentCount, takenCount].enumerated() {
                    page.storeBytes(of: UInt64(value), toByteOffset: copy + 8 + index * 8, as: UInt64.self)
                }
                page.storeBytes(of: takenChecksum, toByteOffset: copy + 32, as: UInt64.self)
                let checksum = RowChecksum.of(UnsafeRawBufferPointer(rebasing: page[copy..<copy + Self.size]))
                page.storeBytes(of: checksum, toByteOffset: copy + Self.size, as: UInt64.self)
            }
        }
        return page
    }

    package static func read(_ page: UnsafeRawBufferPointer) -> Reading {
        var isNewer = false
        for copy in copies where copy + size + 8 <= page.count {
            let bytes = UnsafeRawBufferPointer(rebasing: page[copy..<copy + size])
            guard bytes.starts(with: magic) else { continue }
            let version = bytes.loadUnaligned(fromByteOffset: 6, as: UInt16.self)
            guard page.loadUnaligned(fromByteOffset: copy + size, as: UInt64.self) == RowChecksum.of(bytes) else {
                continue
            }
            guard version == Self.version else {
                isNewer = true
                continue
            }
            let values = (1...3).map {
                Int(truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self))
            }
            guard LogFormat.isPossible(segmentSize: values[0], count: values[1]), 0...EventLog.maxTaken ~= values[2]
            else { continue }
            var header = LogHeader(format: LogFormat(segmentSize: values[0], segmentCount: values[1]))
            (header.takenCount, header.takenChecksum) = (
                values[2], bytes.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
            )
            return .header(header)
        }
        if isNewer { return .newer }
        return page.allSatisfy { $0 == 0 } ? .blank : .unknown
    }
}
