import Glibc
import Synchronization

/// Memory in which tracked events have a record until they are sent or on disk.
///
/// Of a service with a state directory it is a file that is mapped: what is in it outlives the process, however that ends.
/// Only a power failure can lose it. It consists of segments, each of which one shard of an ``EventQueue`` fills at a time.
final class StagingArea: Sendable {
    /// The segments.
    struct Segments {
        /// Where each segment is, by its index.
        var places: [UnsafeMutableRawPointer] = []
        /// The last one is the first to be used: its pages are in memory.
        var free: [Int] = []
        var lastGeneration: UInt64
        /// The segments whose pages were loaded ahead.
        var prepared: Set<Int> = []
        /// The parts of the file that are mapped, those behind the first by the index of their first segment.
        var maps: [(first: Int, map: StagingMap)] = []
        /// The most segments that the area may have.
        var limit = StagingFile.segmentCount
        /// Whether a thread was asked to make the file larger.
        var isGrowthDue = false
        /// Whether the file is being made larger or smaller.
        var isResizing = false
        /// Why the file could not grow the last time.
        var growthFailure: String?
    }

    let layout: StagingFile
    /// The file that is mapped; nil for memory that ends with the process.
    let file: (path: String, identity: FileIdentity)?
    /// Whether what is in it outlives the process.
    let isDurable: Bool
    /// The header of the file, which stays mapped.
    nonisolated(unsafe) private let header: UnsafeMutableRawPointer
    let segments: Locked<Segments>
    /// The number of the last note of events that the store could not remove.
    private let lastNote: Locked<Int64>

    /// Creates an area that ends with the process.
    /// - Returns: nil if the process may not map so much.
    convenience init?() {
        // Pages take memory only once they are used.
        let size = StagingFile.standard.size
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        self.init(StagingMap(memory, size), .standard, lastGeneration: 0)
    }

    /// Takes over memory of the size of a staging file.
    /// - Parameters:
    ///   - map: The memory.
    ///   - layout: The file's layout.
    ///   - file: The file that is mapped; nil for memory that ends with the process.
    ///   - lastGeneration: The last use of a segment.
    ///   - lastNote: The number of the last note in it.
    ///   - occupied: The segments that are not free until ``release(_:)``.
    init(
        _ map: StagingMap, _ layout: StagingFile, file: (path: String, identity: FileIdentity)? = nil,
        lastGeneration: UInt64, lastNote: Int64 = 0, occupied: Set<Int> = []
    ) {
        (header, self.layout, self.file, isDurable) = (map.start, layout, file, file != nil)
        var segments = Segments(lastGeneration: lastGeneration)
        for index in 0..<layout.count(inBytes: map.size) { segments.places.append(map.start + layout.start(of: index)) }
        segments.free = segments.places.indices.reversed().filter { !occupied.contains($0) }
        segments.maps = [(0, map)]
        segments.limit = segments.places.count
        (self.segments, self.lastNote) = (Locked(segments), Locked(lastNote))
    }

    /// The path of the file if it was removed or replaced since: no other process finds what is in the area.
    var vanishedPath: String? {
        file.flatMap { file in
            guard let found = FileIdentity(file.path) else {
                // For another reason it may still be there.
                return errno == ENOENT || errno == ENOTDIR ? file.path : nil
            }
            return found == file.identity ? nil : file.path
        }
    }

    /// Whether another area is of the same file.
    func isSameFile(as other: StagingArea) -> Bool { file != nil && file?.identity == other.file?.identity }

    /// Notes that what was found in segments need not be read again.
    func passOver(_ leftovers: [StagingFile.Leftover]) {
        for position in leftovers.compactMap(\.position) {
            settle(position)
            release(position.segment)
        }
    }

    /// Notes what the store has no room to remove, in place of the note before.
    func note(_ rows: UnremovedRows) {
        lastNote.withLock { number in
            number += 1
            rows.note(in: UnsafeMutableRawBufferPointer(start: header, count: StagingFile.headerSize), number: number)
        }
    }

    /// Notes how many segments the file has.
    func note(count: Int) {
        StagingFile.note(count: count, in: header)
    }

    // The copies are stored in this order, so that a kill between them leaves the first.
    @inline(__always)
    private func store(_ word: StagingFile.Word, _ value: UInt64, in segment: UnsafeMutableRawPointer) {
        let place = segment + word.rawValue
        place.assumingMemoryBound(to: Atomic<UInt64>.self).pointee.store(value, ordering: .releasing)
        (place + 8).assumingMemoryBound(to: Atomic<UInt64>.self).pointee.store(value, ordering: .releasing)
        (segment + layout.tailOffset(word)).assumingMemoryBound(to: Atomic<UInt64>.self).pointee
            .store(value, ordering: .releasing)
    }
}

extension StagingArea {
    /// A segment that is being filled.
    struct Current {
        let index: Int
        let generation: UInt64
        let memory: UnsafeMutableRawPointer
        /// The end of the tracked records.
        var end = StagedEnd.start
        /// The end of the records that the store has taken.
        var taken = StagedEnd.start
    }

    /// The number of segments, and of those that are free.
    var counts: (all: Int, free: Int) { segments.withLock { ($0.places.count, $0.free.count) } }

    /// Whether a record has room in an empty segment.
    func fits(_ record: StagedRecord) -> Bool {
        StagingFile.segmentHeaderSize + record.size <= layout.recordsEnd
    }

    /// Begins a new use of a free segment.
    /// - Returns: The segment, nil if none is free; and whether the area should grow.
    func begin() -> (current: Current?, isLow: Bool) {
        segments.withLock { segments in
            let isLow = isDurable && segments.isLow && !segments.isGrowthDue && segments.growthFailure == nil
            if isLow { segments.isGrowthDue = true }
            guard let index = segments.free.popLast() else { return (nil, isLow) }
            segments.lastGeneration &+= 1
            let memory = segments.places[index]
            store(.published, StagedEnd.start.word, in: memory)
            store(.drained, StagedEnd.start.word, in: memory)
            store(.generation, segments.lastGeneration, in: memory)
            return (Current(index: index, generation: segments.lastGeneration, memory: memory), isLow)
        }
    }

    /// Adds a record; false if the segment has no room.
    @inline(__always)
    func append(_ record: StagedRecord, to current: inout Current) -> Bool {
        let size = record.size
        guard current.end.offset + size <= layout.recordsEnd else { return false }
        record.write(
            to: current.memory, at: current.end.offset, generation: isDurable ? current.generation : nil)
        current.end = StagedEnd(offset: current.end.offset + size, count: current.end.count + 1)
        store(.published, current.end.word, in: current.memory)
        return true
    }

    /// Calls `body` with the records of a portion, which this process has written, and where they begin.
    ///
    /// They are fewer than their positions say if the file was damaged since.
    func forEachRecord(of portion: EventQueue.Portion, _ body: (StagedRecord, _ offset: Int) -> Void) {
        let records = UnsafeRawBufferPointer(start: portion.memory, count: portion.position.end.offset)
        var offset = portion.start.offset
        while offset < records.count, let record = StagedRecord(unchecked: records, at: offset) {
            body(record, offset)
            offset += record.size
        }
    }

    /// Notes that the records up to a position are no longer needed.
    func settle(_ position: StagedPosition) {
        segments.withLock { segments in
            guard segments.places.indices.contains(position.segment) else { return }
            store(.drained, position.end.word, in: segments.places[position.segment])
        }
    }

    /// Loads the pages of the segments of a file that are used next.
    ///
    /// Else the first record on each page would wait for the kernel, and on a busy file system for its journal.
    func prepare() {
        guard isDurable else { return }
        let next = segments.withLock { segments in
            // Twice what is in use, because a burst goes on while the store commits; a few at a time, because it waits.
            let used = segments.places.count - segments.free.count
            let next = segments.free.suffix(max(2, 2 * used)).filter { !segments.prepared.contains($0) }.suffix(2)
            segments.prepared.formUnion(next)
            return next.map { segments.places[$0] }
        }
        // Kernels before Linux 5.14 cannot, and nothing else depends on it. What is in the pages stays.
        for memory in next { madvise(memory, layout.segmentSize, MADV_POPULATE_WRITE) }
    }

    /// Takes a segment back whose records are no longer needed.
    func release(_ index: Int) {
        segments.withLock { if $0.places.indices.contains(index) { $0.free.append(index) } }
    }
}

extension StagingArea {
    /// Whether segments run out although the file cannot grow, so that they are needed again before their events are sent.
    var isShort: Bool {
        segments.withLock { segments in
            segments.free.count < StagingFile.segmentCount / 4
                && (segments.growthFailure != nil || segments.places.count >= segments.limit)
        }
    }
}

extension StagingArea.Segments {
    /// Whether few segments are free, so that more are needed before a burst ends.
    var isLow: Bool { free.count < max(StagingFile.segmentCount / 2, places.count / 4) }
}

/// Memory that is mapped, until the last reference goes.
final class StagingMap: Sendable {
    nonisolated(unsafe) let start: UnsafeMutableRawPointer
    let size: Int
    private let process = getpid()

    init(_ start: UnsafeMutableRawPointer, _ size: Int) {
        (self.start, self.size) = (start, size)
    }

    deinit {
        // A forked child does not have the file's memory, and may have something else in its place.
        if process == getpid() { munmap(start, size) }
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: size) }
}
