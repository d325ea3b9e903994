import Glibc

/// The layout of a staging file, and what a dead process left in one.
///
/// A file is a header of 4096 bytes, in which ``UnremovedRows`` are noted, and 16 segments, as a rule of 512 KiB. A segment begins with three pairs of words: its generation,
/// the end of what was tracked, and the end of what is in the store. Each word has a copy, so that damage is noticed; a kill
/// between the two writes leaves two values, and the records determine the right one.
package struct StagingFile: Sendable {
    package static let headerSize = 4096
    package static let segmentHeaderSize = 64
    package static let segmentCount = 16
    /// The layout that services have.
    package static let standard = StagingFile(segmentSize: 512 << 10)
    /// The first eight bytes of a file, `TCSTAGE1` in the order of this machine's bytes, by which a release with another layout
    /// will know it.
    static let magic: UInt64 = 0x3145_4741_5453_4354

    /// The words of a segment's header; the copy of each comes right after it.
    enum Word: Int {
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

    /// The bytes of a file.
    package var size: Int { start(of: Self.segmentCount) }

    /// Where a segment begins in a file.
    package func start(of index: Int) -> Int { Self.headerSize + index * segmentSize }

    /// The generations of the segments, those of damaged headers left out.
    func generations(in bytes: UnsafeRawBufferPointer) -> [UInt64] {
        (0..<Self.segmentCount).compactMap { index in
            let start = start(of: index)
            guard start + Self.segmentHeaderSize <= bytes.count else { return nil }
            let words = [start, start + 8].map { bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
            return words[0] == words[1] ? words[0] : nil
        }
    }

    /// What a dead process left in a segment.
    package struct Leftover {
        /// An event, with its place among those of its tracker.
        package struct Event {
            let namespace: ExactText
            let isAnonymous: Bool
            let time: Int64
            let sequence: UInt64
            package let payload: [UInt8]
        }

        package fileprivate(set) var events: [Event] = []
        /// The events that are damaged.
        var damaged = 0
        /// How far the segment is in the store once the events are; nil if the file is gone since.
        var position: StagedPosition?
    }

    /// What a dead process left.
    package struct Contents {
        /// The segments that hold something that the store does not have.
        package var leftovers: [Leftover] = []
        /// What the process could not remove from its store.
        package var unremoved = UnremovedRows()
    }

    /// Reads what a dead process left.
    /// - Parameters:
    ///   - bytes: The whole file, or as much of it as there is.
    ///   - stored: How far the store says the segments are in it, by their index.
    /// - Returns: What the next process has to store, and what it must not send.
    package func contents(of bytes: UnsafeRawBufferPointer, stored: [Int: StagedPosition]) -> Contents {
        Contents(leftovers: leftovers(in: bytes, stored: stored), unremoved: UnremovedRows.noted(in: bytes).rows)
    }

    /// Reads what a dead process left in the segments.
    /// - Parameters:
    ///   - bytes: The whole file, or as much of it as there is.
    ///   - stored: How far the store says the segments are in it, by their index.
    /// - Returns: The segments that hold something that the store does not have.
    package func leftovers(in bytes: UnsafeRawBufferPointer, stored: [Int: StagedPosition]) -> [Leftover] {
        (0..<Self.segmentCount).compactMap { index in
            let start = start(of: index)
            guard start + Self.segmentHeaderSize <= bytes.count else { return nil }
            let end = min(bytes.count, start + segmentSize)
            return leftover(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), index, stored[index])
        }
    }

    private func leftover(
        _ segment: UnsafeRawBufferPointer, _ index: Int, _ stored: StagedPosition?
    ) -> Leftover? {
        func words(_ word: Word) -> [UInt64] {
            [word.rawValue, word.rawValue + 8].map { segment.loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
        }
        let generations = words(.generation)
        let drained = words(.drained)
        // Of two ends the farther one, because no record follows the end that is right.
        let published = words(.published).map(StagedEnd.init(word:)).filter(isPossible)
        guard generations != [0, 0], let farthest = published.max(by: { $0.offset < $1.offset }) else { return nil }
        var best: Leftover?
        for generation in Set(generations).sorted() {
            var first = StagedEnd.start
            if let stored, stored.generation == generation { first = stored.end }
            let known = StagedEnd(word: drained[0])
            if drained[0] == drained[1], isPossible(known), known.offset > first.offset { first = known }
            guard first.offset < farthest.offset else { continue }
            let found = Self.records(of: segment, index, generation, from: first, to: farthest, atMost: published)
            if best.map({ $0.events.count < found.events.count }) ?? true { best = found }
        }
        return best.flatMap { $0.events.isEmpty && $0.damaged == 0 ? nil : $0 }
    }

    private func isPossible(_ end: StagedEnd) -> Bool {
        (Self.segmentHeaderSize...segmentSize).contains(end.offset) && end.offset % 8 == 0
            && end.count <= (end.offset - Self.segmentHeaderSize) / StagedRecord.headerSize
    }

    private static func records(
        of segment: UnsafeRawBufferPointer, _ index: Int, _ generation: UInt64, from first: StagedEnd,
        to farthest: StagedEnd, atMost published: [StagedEnd]
    ) -> Leftover {
        var found = Leftover(position: StagedPosition(segment: index, generation: generation, end: farthest))
        var next = first
        var lost = 0
        while next.offset < farthest.offset {
            if let record = StagedRecord(segment, at: next.offset, generation: generation),
                let event = Leftover.Event(record)
            {
                found.events.append(event)
                next = StagedEnd(offset: next.offset + record.size, count: next.count + 1)
            } else if let damaged = StagedRecord(unchecked: segment, at: next.offset),
                StagedRecord(segment, at: next.offset + damaged.size, generation: generation) != nil
            {
                // Its length is right, because a whole record follows.
                lost += 1
                next = StagedEnd(offset: next.offset + damaged.size, count: next.count + 1)
            } else {
                break
            }
        }
        // The lower of two ends that differ: beyond it nothing had returned.
        let expected = published.map(\.count).min() ?? 0
        found.damaged = lost + max(0, expected - next.count)
        return found
    }
}

extension StagingFile.Leftover.Event {
    /// Copies a record; nil if its payload is no event.
    fileprivate init?(_ record: StagedRecord) {
        let payload = Array(record.payload)
        let event = StoredEvent(id: 0, isAnonymous: record.isAnonymous, payload: payload)
        guard let namespace = event.namespace else { return nil }
        self.init(
            namespace: ExactText(namespace), isAnonymous: record.isAnonymous, time: record.time,
            sequence: record.sequence, payload: payload)
    }
}
