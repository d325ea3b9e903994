import TrackerPlatform

/// Reads a segment of another process, damaged or not. Each byte is read a fixed number of times, whatever the damage.
package struct SegmentReader {
    /// The contents of a segment.
    package struct Contents {
        /// The use of the segment to which the records belong; 0 without records.
        var generation: UInt64 = 0
        /// The waiting records and their offsets in the segment, in their order.
        package var waiting: [(record: EventRecord, offset: Int)] = []
        /// The number of records that are done.
        package var doneCount = 0
        /// The number of damaged records.
        package var damagedCount = 0

        fileprivate var count: Int { waiting.count + doneCount }
    }

    let format: LogFormat
    /// The bytes of the segment, as far as they exist.
    let bytes: UnsafeRawBufferPointer

    package init(format: LogFormat, bytes: UnsafeRawBufferPointer) {
        (self.format, self.bytes) = (format, bytes)
    }

    /// Reads the records.
    package func contents() -> Contents {
        let published = format.words(.published, of: bytes)
        let generations = format.words(.generation, of: bytes)
        // The farthest end is safe, because no record follows the correct end.
        guard let farthest = published.map({ SegmentEnd(word: $0).offset }).max(), !generations.isEmpty else {
            return contentsWithoutHeader()
        }
        // Two copies agree unless a kill came between their writes; then no call had returned beyond the lower one.
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

    /// Reads a segment whose words are lost: the records show their generations, of which the last one counts.
    private func contentsWithoutHeader() -> Contents {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return Contents() }
        let words = [bytes.prefix(LogFormat.segmentHeaderSize), bytes.suffix(LogFormat.segmentTailSize)]
        let hasWords = words.contains { $0.contains { $0 != 0 } }
        // A segment of zeros was never used, and a search for its records would take time.
        guard hasWords || memcmp(start, start + 1, bytes.count - 1) != 0 else { return Contents() }
        guard let generation = lastGeneration else { return Contents(damagedCount: hasWords ? 1 : 0) }
        var found = Contents(generation: generation)
        found.damagedCount = read(generation, to: format.recordsEnd, into: &found)
        return found
    }

    /// The last use of the segment according to its records; nil without records. A damaged record results in a random
    /// number of 64 bits, which is hardly ever so low.
    private var lastGeneration: UInt64? {
        let marks = beginnings(from: SegmentEnd.start.offset)
        return zip(marks, marks.dropFirst() + [format.recordsEnd]).compactMap { offset, next in
            guard let record = EventRecord(unchecked: bytes, at: offset, hasSeal: true),
                offset + record.size(hasSeal: true) <= next + EventRecord.headerSize
            else { return nil }
            return record.generation(in: bytes, at: offset)
        }.max()
    }

    /// Reads the records of a use.
    ///
    /// After damage, it continues at the next beginning of an event. Records do not overlap, so a record that reaches
    /// into the payload of another one has a wrong length, and each byte is read a fixed number of times. The last
    /// record may have overwritten part of the header of a record of an earlier use.
    /// - Returns: The minimum number of records that were skipped before the last one that was found.
    private func read(_ generation: UInt64, to end: Int, into found: inout Contents) -> Int {
        var offset = SegmentEnd.start.offset
        var (missing, passed) = (0, 0)
        var marks: ArraySlice<Int>?
        while offset < end {
            marks = marks?.drop { $0 <= offset }
            let limit = marks?.first.map { min($0 + EventRecord.headerSize, end) } ?? end
            if let record = EventRecord(unchecked: bytes, at: offset, hasSeal: true),
                offset + record.size(hasSeal: true) <= limit, record.isSealed(in: bytes, at: offset, offset, generation)
            {
                let mark = bytes.loadUnaligned(fromByteOffset: offset + DoneMark.offset, as: UInt64.self)
                if mark == DoneMark.of(generation, offset) {
                    found.doneCount += 1
                } else {
                    found.waiting.append((record, offset))
                }
                (missing, passed) = (missing + passed, 0)
                offset += record.size(hasSeal: true)
            } else {
                passed += 1
                marks = marks ?? beginnings(from: offset + 8)[...]
                offset = marks?.first ?? end
            }
        }
        return missing
    }

    /// The offsets at which records may begin.
    private func beginnings(from start: Int) -> [Int] {
        stride(from: start, to: max(start, bytes.count - EventRecord.headerSize), by: 8).filter {
            EventScan.isBeginning(bytes, at: $0 + EventRecord.headerSize)
        }
    }
}
