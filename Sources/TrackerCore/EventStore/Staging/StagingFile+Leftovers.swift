extension StagingFile {
    /// What a dead process left in a segment.
    package struct Leftover {
        /// An event, with its place among those of its tracker. It is valid as long as the file is mapped.
        package struct Event {
            var namespace: ExactText
            let isAnonymous: Bool
            let time: Int64
            let sequence: UInt64
            package let payload: UnsafeRawBufferPointer
        }

        package fileprivate(set) var events: [Event] = []
        /// The events that were sent, or dropped.
        fileprivate var sent = 0
        /// The events that are missing or damaged. A segment that cannot be read at all counts as one.
        package fileprivate(set) var damaged = 0
        /// How far the segment is in the store once the events are; nil if the file is gone since.
        var position: StagedPosition?
        /// Keeps the file mapped.
        var source: AnyObject?
    }

    /// What a dead process left.
    package struct Contents {
        /// The segments that hold something that the store does not have, those that were begun first come first.
        package var leftovers: [Leftover] = []
        /// What the process could not remove from its store.
        package var unremoved = UnremovedRows()
        /// The last use of a segment that the file shows.
        var lastGeneration: UInt64 = 0

        /// Puts full names in the place of those that were cut, and keeps the file mapped.
        mutating func complete(_ names: [ExactText: ExactText], source: AnyObject) {
            for index in leftovers.indices {
                leftovers[index].source = source
                guard !names.isEmpty else { continue }
                for place in leftovers[index].events.indices {
                    if let name = names[leftovers[index].events[place].namespace] {
                        leftovers[index].events[place].namespace = name
                    }
                }
            }
        }
    }

    /// Reads what a dead process left.
    /// - Parameters:
    ///   - bytes: The whole file, or as much of it as there is.
    ///   - stored: How far the store says the segments are in it, by their index.
    /// - Returns: What the next process has to store, and what it must not send.
    package func contents(of bytes: UnsafeRawBufferPointer, stored: [Int: StagedPosition]) -> Contents {
        // A position has no checksum. Records of a use beyond the possible ones could not be read after a kill.
        let stored = stored.filter { Self.generations.contains($0.value.generation) }
        let known = stored.values.map(\.generation).max() ?? 0
        var contents = Contents(unremoved: UnremovedRows.noted(in: bytes).rows, lastGeneration: known)
        // A file that was just made, or of which nothing is left.
        guard bytes.count >= Self.headerSize else { return contents }
        let hasTail = hasTails(bytes)
        let count = max(count(inBytes: bytes.count), notedCount(in: bytes))
        for index in 0..<count {
            let start = min(start(of: index), bytes.count)
            let segment = SegmentReader(
                layout: self, index: index, hasTail: hasTail,
                bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<min(bytes.count, start + segmentSize)]))
            contents.lastGeneration = max(contents.lastGeneration, segment.agreedGeneration ?? 0)
            if let leftover = segment.leftover(after: stored[index]) {
                contents.leftovers.append(leftover)
                contents.lastGeneration = max(contents.lastGeneration, leftover.position?.generation ?? 0)
            }
        }
        contents.leftovers.sort { ($0.position?.generation ?? 0) < ($1.position?.generation ?? 0) }
        return contents
    }

    /// Reads what a dead process left in the segments.
    package func leftovers(in bytes: UnsafeRawBufferPointer, stored: [Int: StagedPosition]) -> [Leftover] {
        contents(of: bytes, stored: stored).leftovers
    }
}

/// Reads a segment of a dead process, damaged or not. Each byte is read a fixed number of times, however it is damaged.
private struct SegmentReader {
    let layout: StagingFile
    let index: Int
    let hasTail: Bool
    /// The segment, or as much of it as there is.
    let bytes: UnsafeRawBufferPointer

    private typealias Leftover = StagingFile.Leftover

    /// The end of the part in which records are.
    private var recordsEnd: Int { hasTail ? layout.recordsEnd : layout.segmentSize }

    var agreedGeneration: UInt64? {
        let words = layout.words(.generation, of: bytes, hasTail: hasTail)
        return words.first { word in words.count { $0 == word } > 1 }
    }

    /// What the store does not have.
    func leftover(after stored: StagedPosition?) -> StagingFile.Leftover? {
        let published = layout.words(.published, of: bytes, hasTail: hasTail)
        let generations = layout.words(.generation, of: bytes, hasTail: hasTail)
        // The farthest end, because no record follows the right one.
        guard let farthest = published.map(StagedEnd.init(word:)).max(by: { $0.offset < $1.offset }),
            !generations.isEmpty
        else { return withoutHeader(stored) }
        // Two of the copies agree unless a kill came between their writes: then nothing had returned beyond the lower one.
        let expected = published.agreed.map { StagedEnd(word: $0).count } ?? 0
        let drained = layout.words(.drained, of: bytes, hasTail: hasTail).agreed.map(StagedEnd.init(word:))
        var best: StagingFile.Leftover?
        for generation in Set(generations).sorted() {
            var first = StagedEnd.start
            if let stored, stored.generation == generation { first = stored.end }
            if let drained, drained.offset > first.offset { first = drained }
            guard first.offset < farthest.offset else { continue }
            var found = Leftover(position: StagedPosition(segment: index, generation: generation, end: farthest))
            _ = read(generation, from: first.offset, to: farthest.offset, into: &found)
            found.damaged = max(0, expected - first.count - found.events.count - found.sent)
            let count = found.events.count + found.sent
            if best.map({ $0.events.count + $0.sent < count }) ?? true { best = found }
        }
        return best.flatMap { $0.events.isEmpty && $0.damaged == 0 ? nil : $0 }
    }

    /// Reads a segment whose words are lost: its records show their generation, of which the last one counts.
    private func withoutHeader(_ stored: StagedPosition?) -> StagingFile.Leftover? {
        // Read before.
        if let stored, stored.end.offset == layout.segmentSize { return nil }
        // One that is empty was never used; its records are not looked for, because that takes time.
        guard stored != nil || hasWords else { return nil }
        let generation = lastGeneration
        let isCut = bytes.count < StagingFile.segmentHeaderSize
        // The store may know a segment of a file before this one.
        guard generation != nil || isCut || hasWords else { return nil }
        let count = (stored?.end.count ?? 0) + 1
        let last = max(generation ?? 0, stored?.generation ?? 0)
        let whole = StagedEnd(offset: layout.segmentSize, count: count)
        var found = Leftover(position: StagedPosition(segment: index, generation: last, end: whole))
        let first = stored.flatMap { $0.generation == last ? $0.end : nil } ?? .start
        found.damaged = read(last, from: first.offset, to: recordsEnd, into: &found)
        if found.events.isEmpty && found.sent == 0 { found.damaged = 1 }
        return found
    }

    /// Whether the places of the words are not empty.
    private var hasWords: Bool {
        let isWhole = hasTail && bytes.count == layout.segmentSize
        return bytes.prefix(StagingFile.segmentHeaderSize).contains { $0 != 0 }
            || isWhole && bytes.suffix(StagingFile.segmentTailSize).contains { $0 != 0 }
    }

    /// The last use of the segment by its records; nil if it has none. A damaged record shows any number of 64 bits, and hardly
    /// ever one so low.
    private var lastGeneration: UInt64? {
        let marks = marks(from: StagedEnd.start.offset)
        return zip(marks, marks.dropFirst() + [recordsEnd]).compactMap { place, next in
            guard let record = StagedRecord(unchecked: bytes, at: place),
                place + record.size <= next + StagedRecord.headerSize
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
    private func read(
        _ generation: UInt64, from start: Int, to end: Int, into found: inout StagingFile.Leftover
    ) -> Int {
        var place = start
        var (missing, passed) = (0, 0)
        var marks: ArraySlice<Int>?
        while place < end {
            marks = marks?.drop { $0 <= place }
            let limit = marks?.first.map { min($0 + StagedRecord.headerSize, end) } ?? end
            if let record = StagedRecord(unchecked: bytes, at: place), place + record.size <= limit,
                let isSent = record.isSent(in: bytes, at: place, generation),
                let event = Leftover.Event(record)
            {
                if isSent { found.sent += 1 } else { found.events.append(event) }
                (missing, passed) = (missing + passed, 0)
                place += record.size
            } else {
                passed += 1
                marks = marks ?? self.marks(from: place + 8)[...]
                place = marks?.first ?? end
            }
        }
        return missing
    }

    /// The places at which records may begin.
    private func marks(from start: Int) -> [Int] {
        stride(from: start, to: max(start, bytes.count - StagedRecord.headerSize), by: 8).filter {
            EventScan.isBeginning(bytes, at: $0 + StagedRecord.headerSize)
        }
    }
}

extension StagingFile.Leftover.Event {
    /// Takes a record; nil if nothing in it names a namespace.
    fileprivate init?(_ record: StagedRecord) {
        guard
            let namespace = record.name.map({ String(decoding: $0, as: UTF8.self) })
                ?? EventScan.value(of: "tna", in: record.payload)
        else { return nil }
        self.init(
            namespace: ExactText(namespace), isAnonymous: record.isAnonymous, time: record.time,
            sequence: record.sequence, payload: record.payload)
    }
}
