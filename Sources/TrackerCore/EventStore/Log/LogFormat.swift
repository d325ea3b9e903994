import TrackerPlatform

/// The layout of a file of the log.
///
/// A file is a header of 4096 bytes, segments, and as a rule nothing behind them. A segment begins with two pairs of words: its
/// generation, and the end of its records. A third copy of each is at the segment's end, so that damage of one page leaves one. A
/// kill between the writes leaves different values, and the records determine the right one.
package struct LogFormat: Sendable, Hashable {
    package static let headerSize = 4096
    package static let segmentHeaderSize = 64
    /// The bytes at the end of a segment in which the words are once more.
    static let segmentTailSize = 64
    /// The uses of segments that a process can have. They count up from 1.
    static let generations: Range<UInt64> = 1..<1 << 40
    /// The layout of files that are filled.
    package static let standard = LogFormat(segmentSize: 512 << 10, segmentCount: 16)
    /// The most bytes of a file without a header that can be read.
    static let maxUnknownSize = 64 << 20

    /// The words of a segment's header; the copy of each comes right after it.
    package enum Word: Int {
        case generation = 0
        case published = 16
    }

    /// The bytes of a segment, a multiple of 4096.
    package let segmentSize: Int
    package let segmentCount: Int

    package init(segmentSize: Int, segmentCount: Int) {
        (self.segmentSize, self.segmentCount) = (segmentSize, segmentCount)
    }

    /// The layout of a file with one segment, in which so many bytes of records have room.
    init(recordBytes: Int) {
        let size = Self.segmentHeaderSize + recordBytes + Self.segmentTailSize
        self.init(segmentSize: (size + 4095) & ~4095, segmentCount: 1)
    }

    /// The layout of a file of so many bytes whose header is damaged: one segment, or none.
    package init(wholeFile size: Int) {
        let size = max(0, size - Self.headerSize + 4095) & ~4095
        self.init(segmentSize: max(4096, size), segmentCount: size > 0 ? 1 : 0)
    }

    /// Whether a file can have such segments.
    static func isPossible(segmentSize: Int, count: Int) -> Bool {
        segmentSize % 4096 == 0 && 4096...2 * EventRecord.maxSize ~= segmentSize
            && (count == 1 || 2...4096 ~= count && segmentSize * count <= Place.maxOffset)
    }

    /// The bytes of the header and the segments.
    package var size: Int { start(of: segmentCount) }

    /// Where a segment begins in a file.
    package func start(of index: Int) -> Int { Self.headerSize + index * segmentSize }

    /// The segment that a place in a file is in, and where it is there.
    package func position(of offset: Int) -> (segment: Int, offset: Int) {
        let (segment, rest) = (offset - Self.headerSize).quotientAndRemainder(dividingBy: segmentSize)
        return (segment, rest)
    }

    /// The end of the part of a segment in which records are.
    var recordsEnd: Int { segmentSize - Self.segmentTailSize }

    /// Where the copies of a word are in a segment.
    package func offsets(of word: Word) -> [Int] { [word.rawValue, word.rawValue + 8, recordsEnd + word.rawValue] }

    /// The values of a word that a segment has, without those that none can have.
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

/// The end of records in a segment: an offset and a count in one word, so that both are written at once.
package struct SegmentEnd: Equatable {
    /// The bytes from the segment's beginning.
    var offset: Int
    /// The records up to there.
    var count: Int

    /// Where the first record of a segment begins.
    static let start = SegmentEnd(offset: LogFormat.segmentHeaderSize, count: 0)

    package init(offset: Int, count: Int) {
        (self.offset, self.count) = (offset, count)
    }

    init(word: UInt64) {
        (offset, count) = (Int(word & 0xFFFF_FFFF), Int(word >> 32))
    }

    package var word: UInt64 { UInt64(count) << 32 | UInt64(offset) }
}

/// The header of a file: its layout, and what it takes from other files. It is there twice.
package struct LogHeader: Equatable {
    /// A record of another file of the slot that is in this file too, and done with there.
    struct Taken: Equatable {
        let file: UInt32
        /// Where it begins, in units of 8 bytes.
        let unit: UInt32
        /// What marks it as done.
        let mark: UInt64
    }

    /// What the bytes at the beginning of a file say.
    package enum Reading: Equatable {
        case header(LogHeader)
        /// A later release wrote the file.
        case newer
        /// There are only zeros.
        case blank
        /// The header is damaged, or the file is no log.
        case unknown
    }

    /// The first six bytes of a file.
    private static let magic = Array("TCLOG0".utf8)
    private static let version: UInt16 = 1
    private static let copies = [0, 2048]
    private static let size = 40

    package var format: LogFormat
    /// How many records are taken; their list follows the segments.
    package private(set) var takenCount = 0
    private var takenChecksum: UInt64 = 0

    package init(format: LogFormat) { self.format = format }

    /// The bytes of the list.
    var takenSize: Int { takenCount * MemoryLayout<Taken>.stride }

    mutating func take(_ taken: [Taken]) {
        takenCount = taken.count
        takenChecksum = taken.withUnsafeBytes { RowChecksum.of($0) }
    }

    /// Reads the list; nothing if it is damaged.
    func taken(in bytes: UnsafeRawBufferPointer) -> [Taken] {
        guard bytes.count == takenSize, RowChecksum.of(bytes) == takenChecksum else { return [] }
        return (0..<takenCount).map {
            bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Taken>.stride, as: Taken.self)
        }
    }

    /// The header's page.
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
