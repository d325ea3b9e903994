import Glibc
import Synchronization

/// Memory in which tracked events wait until the store has them.
///
/// Of a service with a state directory it is a file that is mapped: what is in it outlives the process, however that ends.
/// Only a power failure can lose it. It consists of segments, each of which one shard of an ``EventQueue`` fills at a time.
final class StagingArea: Sendable {
    private struct Free {
        /// The last that became free is the first to be used again, because its pages are in memory.
        var segments = Array((0..<StagingFile.segmentCount).reversed())
        var lastGeneration: UInt64
        /// The segments whose pages were loaded ahead.
        var prepared: Set<Int> = []
    }

    let layout: StagingFile
    /// The file that is mapped; nil for memory that ends with the process.
    private let file: (path: String, identity: FileIdentity)?
    /// Whether what is in it outlives the process.
    let isDurable: Bool
    private let process = getpid()
    nonisolated(unsafe) private let base: UnsafeMutableRawPointer
    private let free: Locked<Free>
    /// The number of the last note of what the store could not remove.
    private let lastNote: Locked<Int64>

    /// Creates an area that ends with the process.
    /// - Returns: nil if the process may not map so much.
    convenience init?() {
        // Pages take memory only once they are used.
        let memory = mmap(
            nil, StagingFile.standard.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        self.init(memory, .standard, lastGeneration: 0)
    }

    /// Takes over memory of the size of a staging file.
    /// - Parameters:
    ///   - base: The memory, which is unmapped with the area.
    ///   - layout: The file's layout.
    ///   - file: The file that is mapped; nil for memory that ends with the process.
    ///   - lastGeneration: The last use of a segment.
    ///   - lastNote: The number of the last note in it.
    ///   - occupied: The segments that are not free until ``release(_:)``.
    init(
        _ base: UnsafeMutableRawPointer, _ layout: StagingFile, file: (path: String, identity: FileIdentity)? = nil,
        lastGeneration: UInt64, lastNote: Int64 = 0, occupied: Set<Int> = []
    ) {
        (self.base, self.layout, self.file, isDurable) = (base, layout, file, file != nil)
        var free = Free(lastGeneration: lastGeneration)
        free.segments.removeAll(where: occupied.contains)
        (self.free, self.lastNote) = (Locked(free), Locked(lastNote))
    }

    deinit {
        // A forked child does not have the file's memory, and may have something else in its place.
        if process == getpid() { munmap(base, layout.size) }
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

    /// Notes what the store has no room to remove, in place of the note before.
    func note(_ rows: UnremovedRows) {
        lastNote.withLock { number in
            number += 1
            rows.note(in: UnsafeMutableRawBufferPointer(start: base, count: StagingFile.headerSize), number: number)
        }
    }

    private func segment(_ index: Int) -> UnsafeMutableRawPointer {
        base + layout.start(of: index)
    }

    // The copies are stored in this order, so that a kill between them leaves the first.
    private func store(_ word: StagingFile.Word, _ value: UInt64, of index: Int) {
        let place = segment(index) + word.rawValue
        for copy in [place, place + 8] {
            copy.assumingMemoryBound(to: Atomic<UInt64>.self).pointee.store(value, ordering: .releasing)
        }
    }
}

extension StagingArea {
    /// A segment that is being filled.
    struct Current {
        let index: Int
        let generation: UInt64
        /// The end of what was tracked.
        var end = StagedEnd.start
        /// The end of what was taken for the store.
        var taken = StagedEnd.start
    }

    /// The number of segments that are free.
    var freeCount: Int { free.withLock { $0.segments.count } }

    /// Begins a new use of a free segment; nil if none is free.
    func begin() -> Current? {
        free.withLock { free in
            guard let index = free.segments.popLast() else { return nil }
            free.lastGeneration &+= 1
            store(.published, StagedEnd.start.word, of: index)
            store(.drained, StagedEnd.start.word, of: index)
            store(.generation, free.lastGeneration, of: index)
            return Current(index: index, generation: free.lastGeneration)
        }
    }

    /// Adds a record; false if the segment has no room.
    @inline(__always)
    func append(_ record: StagedRecord, to current: inout Current) -> Bool {
        let size = record.size
        guard current.end.offset + size <= layout.segmentSize else { return false }
        record.write(
            to: segment(current.index), at: current.end.offset, generation: isDurable ? current.generation : nil)
        current.end = StagedEnd(offset: current.end.offset + size, count: current.end.count + 1)
        let published = segment(current.index) + StagingFile.Word.published.rawValue
        let word = current.end.word
        published.assumingMemoryBound(to: Atomic<UInt64>.self).pointee.store(word, ordering: .releasing)
        (published + 8).assumingMemoryBound(to: Atomic<UInt64>.self).pointee.store(word, ordering: .releasing)
        return true
    }

    /// Calls `body` with the records of a portion, which this process has written.
    ///
    /// They are fewer than their positions say if the file was damaged since.
    func forEachRecord(of portion: EventQueue.Portion, _ body: (StagedRecord) -> Void) {
        let records = UnsafeRawBufferPointer(
            start: segment(portion.position.segment), count: portion.position.end.offset)
        var offset = portion.start.offset
        while offset < records.count, let record = StagedRecord(unchecked: records, at: offset) {
            body(record)
            offset += record.size
        }
    }

    /// Notes that the store has the records up to a position.
    func settle(_ position: StagedPosition) {
        store(.drained, position.end.word, of: position.segment)
    }

    /// Loads the pages of the segments of a file that are used next.
    ///
    /// Else the first record on each page would wait for the kernel, and on a busy file system for its journal.
    func prepare() {
        guard isDurable else { return }
        let next = free.withLock { free in
            // Twice what is in use, because a burst goes on while the store commits; a few at a time, because it waits.
            let used = StagingFile.segmentCount - free.segments.count
            let next = free.segments.suffix(max(2, 2 * used)).filter { !free.prepared.contains($0) }.suffix(2)
            free.prepared.formUnion(next)
            return next
        }
        // Kernels before Linux 5.14 cannot, and nothing else depends on it. What is in the pages stays.
        for index in next { madvise(segment(index), layout.segmentSize, MADV_POPULATE_WRITE) }
    }

    /// Takes a segment back whose records the store has.
    func release(_ index: Int) {
        free.withLock { $0.segments.append(index) }
    }
}
