import TrackerPlatform

/// Reads a segment, damaged or not, that this process has not written. Each byte is read a fixed number of times, however it is
/// damaged.
package struct SegmentReader {
    /// What a segment has.
    package struct Contents {
        /// The use of the segment that the records are of; 0 without any.
        var generation: UInt64 = 0
        /// The records that wait, and where they begin in the segment, in the order of their places.
        package var waiting: [(record: EventRecord, offset: Int)] = []
        /// The records that are done.
        package var doneCount = 0
        /// The records that are damaged.
        package var damagedCount = 0

        fileprivate var count: Int { waiting.count + doneCount }
    }

    let format: LogFormat
    /// The segment, or as much of it as there is.
    let bytes: UnsafeRawBufferPointer

    package init(format: LogFormat, bytes: UnsafeRawBufferPointer) {
        (self.format, self.bytes) = (format, bytes)
    }

    /// The records.
    package func contents() -> Contents {
        let published = format.words(.published, of: bytes)
        let generations = format.words(.generation, of: bytes)
        // The farthest end, because no record follows the right one.
        guard let farthest = published.map({ SegmentEnd(word: $0).offset }).max(), !generations.isEmpty else {
            return contentsWithoutHeader()
        }
        // Two of the copies agree unless a kill came between their writes: then nothing had returned beyond the lower one.
        let agreed = published.first { word in published.count { $0 == word } > 1 } ?? published.min()
        let expected = agreed.map { SegmentEnd(word: $0).count } ?? 0
        var best = Contents()
        for generation in Set(generations).sorted() {
            var found = Contents(generation: generation)
            _ = read(generation, to: farthest, into: &found)
            found.damagedCount = max(0, expected - found.count)
            if best.generation == 0 || found.count > best.count { best = found }
        }
        return best
    }

    /// Reads a segment whose words are lost: its records show their generation, of which the last one counts.
    private func contentsWithoutHeader() -> Contents {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return Contents() }
        let words = [bytes.prefix(LogFormat.segmentHeaderSize), bytes.suffix(LogFormat.segmentTailSize)]
        let hasWords = words.contains { $0.contains { $0 != 0 } }
        // One of zeros alone was never used; its records are not looked for, because that takes time.
        guard hasWords || memcmp(start, start + 1, bytes.count - 1) != 0 else { return Contents() }
        guard let generation = lastGeneration else { return Contents(damagedCount: hasWords ? 1 : 0) }
        var found = Contents(generation: generation)
        found.damagedCount = read(generation, to: format.recordsEnd, into: &found)
        return found
    }

    /// The last use of the segment by its records; nil if it has none. A damaged record shows any number of 64 bits, and hardly
    /// ever one so low.
    private var lastGeneration: UInt64? {
        let marks = beginnings(from: SegmentEnd.start.offset)
        return zip(marks, marks.dropFirst() + [format.recordsEnd]).compactMap { place, next in
            guard let record = EventRecord(unchecked: bytes, at: place, hasSeal: true),
                place + record.size(hasSeal: true) <= next + EventRecord.headerSize
            else { return nil }
            return record.generation(in: bytes, at: place)
        }.max()
    }

    /// Reads the records of a use.
    ///
    /// Behind damage it goes on where an event begins. Records do not overlap: one that would reach over the payload of
    /// another has a wrong length. So each byte is read a fixed number of times. Of the records that an earlier use left, the last
    /// record, that one may have part of the header.
    /// - Returns: How many were passed over at least, before the last one that was found.
    private func read(_ generation: UInt64, to end: Int, into found: inout Contents) -> Int {
        var place = SegmentEnd.start.offset
        var (missing, passed) = (0, 0)
        var marks: ArraySlice<Int>?
        while place < end {
            marks = marks?.drop { $0 <= place }
            let limit = marks?.first.map { min($0 + EventRecord.headerSize, end) } ?? end
            if let record = EventRecord(unchecked: bytes, at: place, hasSeal: true),
                place + record.size(hasSeal: true) <= limit, record.isSealed(in: bytes, at: place, place, generation)
            {
                let mark = bytes.loadUnaligned(fromByteOffset: place + DoneMark.offset, as: UInt64.self)
                if mark == DoneMark.of(generation, place) {
                    found.doneCount += 1
                } else {
                    found.waiting.append((record, place))
                }
                (missing, passed) = (missing + passed, 0)
                place += record.size(hasSeal: true)
            } else {
                passed += 1
                marks = marks ?? beginnings(from: place + 8)[...]
                place = marks?.first ?? end
            }
        }
        return missing
    }

    /// The places at which records may begin.
    private func beginnings(from start: Int) -> [Int] {
        stride(from: start, to: max(start, bytes.count - EventRecord.headerSize), by: 8).filter {
            EventScan.isBeginning(bytes, at: $0 + EventRecord.headerSize)
        }
    }
}
