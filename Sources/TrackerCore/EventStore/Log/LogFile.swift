import TrackerPlatform
import Synchronization

/// A file of the log, or memory in its place.
///
/// A file that is filled is mapped. Once it is sealed, it is read by `pread` and marked by `pwrite`, so that a bad sector or a file
/// that was cut is an error and no signal.
final class LogFile: @unchecked Sendable {
    /// Where a file is.
    struct Location: Equatable {
        var path: String
        /// The number in its name, which is its age: a later file has a higher one.
        var number: UInt32
        let identity: FileIdentity

        /// Whether the file is still at its path. For another reason than that it is gone it may be.
        var isInPlace: Bool {
            guard let found = FileIdentity(path) else { return errno != ENOENT && errno != ENOTDIR }
            return found == identity
        }
    }

    let format: LogFormat
    /// What is mapped; nil if it cannot be.
    let memory: MappedMemory?
    /// Whether its records have seals and marks. Those of memory have none.
    let hasSeals: Bool
    /// The parts that threads fill; none of a file that is sealed from the start.
    private(set) var segments: [Segment] = []

    // Under the lock of the pool.
    /// The segments that were begun and not released.
    var usedCount = 0

    // Of the store's thread, once the file is in a log.
    /// By which ``Place``s name it.
    var index = -1
    /// nil if no other process can find it: it ends with this process then.
    var location: Location? { didSet { isDurable = location != nil } }
    /// Whether what is in it outlives the process.
    private(set) var isDurable: Bool
    /// The use of each segment.
    var generations: [UInt64]
    /// What waits in it.
    var waiting = EventAmount.zero
    private(set) var isSealed: Bool
    /// Whether records were added since the last sync.
    var isDirty = false
    /// Whether its header says that it takes records of other files.
    var hasTaken = false
    /// The open file while it is filled, with a lock that keeps others from it.
    private var lock: FileLock?

    private init(
        _ format: LogFormat, _ memory: MappedMemory?, _ location: Location?, _ lock: FileLock?, isSealed: Bool
    ) {
        (self.format, self.memory, self.location, self.lock, self.isSealed) = (format, memory, location, lock, isSealed)
        (hasSeals, isDurable) = (location != nil, location != nil)
        generations = Array(repeating: 0, count: format.segmentCount)
        guard let memory, !isSealed else { return }
        segments = (0..<format.segmentCount).map { index in
            Segment(self, index, memory.start + format.start(of: index))
        }
    }

    /// Memory that ends with the process; nil if it may not have so much.
    convenience init?(memory format: LogFormat) {
        // Pages take memory only once they are used.
        let start = mmap(nil, format.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let start, start != MAP_FAILED else { return nil }
        self.init(format, MappedMemory(start, format.size), nil, nil, isSealed: false)
    }

    /// Makes a file that can be filled.
    /// - Parameters:
    ///   - path: The file, which must not be there.
    ///   - number: The number in its name.
    ///   - format: Its layout.
    /// - Throws: If it cannot be made or the disk has not twice the room.
    convenience init(making path: String, number: UInt32, _ format: LogFormat) throws(EventStoreError) {
        let lock = try Self.makeEmpty(path)
        do throws(EventStoreError) {
            guard Self.hasRoom(path, 2 * format.size) else { throw EventStoreError(.write, path, ENOSPC) }
            try Self.allocate(lock.descriptor, path, format.size)
            try Self.write(LogHeader(format: format).bytes, to: lock.descriptor, path, at: 0)
            let memory = mmap(nil, format.size, PROT_READ | PROT_WRITE, MAP_SHARED, lock.descriptor, 0)
            guard let memory, memory != MAP_FAILED else { throw EventStoreError(.open, path) }
            // The file is the parent's alone.
            madvise(memory, format.size, MADV_DONTFORK)
            var information = stat()
            fstat(lock.descriptor, &information)
            self.init(
                format, MappedMemory(memory, format.size),
                Location(path: path, number: number, identity: FileIdentity(information)), lock, isSealed: false)
        } catch {
            unlink(path)
            throw error
        }
    }

    /// A file that is sealed from the start. It is mapped too, so that it can be read if it is removed from its path.
    convenience init(sealed location: Location, _ format: LogFormat, _ descriptor: Int32, size: Int) {
        // No more than there is: to read behind the file's last page would end the process.
        let size = min(format.size, (size + 4095) & ~4095)
        let start = size > 0 ? mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0) : MAP_FAILED
        let memory = start.flatMap { $0 == MAP_FAILED ? nil : MappedMemory($0, size) }
        if let memory { madvise(memory.start, size, MADV_DONTFORK) }
        self.init(format, memory, location, nil, isSealed: true)
    }

    /// The bytes of disk or memory that it takes.
    var usedBytes: Int { hasSeals ? format.size : usedCount * format.segmentSize }

    /// What can be read and marked in memory; nil if it has to be read from the disk.
    var readable: MappedMemory? { isSealed && isDurable ? nil : memory }

    /// The open file while it is filled.
    var descriptor: Int32? { lock?.descriptor }

    /// Lets no record be added any more, and gives the memory back.
    func seal() {
        isSealed = true
        if let memory { madvise(memory.start, memory.size, MADV_DONTNEED) }
        lock = nil
    }

    /// What marks the record at an offset as done.
    func mark(at offset: Int) -> UInt64 {
        let (segment, offset) = format.position(of: offset)
        return DoneMark.of(generations[segment], offset)
    }

    /// Makes an empty file that only this user can read and only this process uses.
    static func makeEmpty(_ path: String) throws(EventStoreError) -> FileLock {
        do throws(FileError) {
            guard FileIdentity(path) == nil else { throw FileError(.open, path: path, errorNumber: EEXIST) }
            guard let lock = try FileLock(path: path) else {
                throw FileError(.open, path: path, errorNumber: EWOULDBLOCK)
            }
            // Else a file system that copies on write has to find new blocks for each write, and a full one kills the process
            // (`FS_NOCOW_FL`; only before a file has blocks). Others do not know it.
            var flags = 0
            if ioctl(lock.descriptor, 0x8008_6601, &flags) == 0 {
                flags |= 0x0080_0000
                _ = ioctl(lock.descriptor, 0x4008_6602, &flags)
            }
            return lock
        } catch {
            throw EventStoreError(error)
        }
    }

    /// Whether the file system of a path has room for some bytes, or does not say.
    static func hasRoom(_ path: String, _ size: Int) -> Bool {
        var room = statvfs()
        return statvfs(path, &room) != 0 || room.f_bavail >= UInt(size) / max(room.f_frsize, 1)
    }

    /// Gives a file all its blocks, so that a write to its memory meets no full disk.
    private static func allocate(_ descriptor: Int32, _ path: String, _ size: Int) throws(EventStoreError) {
        // A file beyond the limit would raise a signal that stops the process.
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) != 0 || limit.rlim_cur >= UInt(size) else {
            throw EventStoreError(.write, path, EFBIG)
        }
        var code: Int32
        repeat { code = posix_fallocate(descriptor, 0, off_t(size)) } while code == EINTR
        guard code == 0 else { throw EventStoreError(.write, path, code) }
    }

    /// Writes all bytes.
    static func write(
        _ bytes: [UInt8], to descriptor: Int32, _ path: String, at offset: Int
    ) throws(EventStoreError) {
        let (written, failure) = bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = pwrite(
                    descriptor, bytes.baseAddress! + written, bytes.count - written, off_t(offset + written))
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return (written, errno) }
                written += count
            }
            return (written, 0)
        }
        guard written == bytes.count else { throw EventStoreError(.write, path, failure) }
    }

    /// Reads bytes; fewer at the end of the file, or where it cannot be read.
    static func read(_ descriptor: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var total = 0
        while total < buffer.count {
            let count = pread(descriptor, buffer.baseAddress! + total, buffer.count - total, off_t(offset + total))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            total += count
        }
        return total
    }
}

/// A part of a file that one thread at a time fills.
final class Segment: @unchecked Sendable {
    // The file has its segments, and what uses a segment has the file.
    unowned let file: LogFile
    let index: Int
    let memory: UnsafeMutableRawPointer
    private let recordsEnd: Int
    /// The use of it, which never repeats in a process; changed when it is begun.
    var generation: UInt64 = 0

    /// Whether its memory was loaded ahead. Under the lock of the pool.
    var isPrepared = false

    // Of the store's thread.
    /// The records that wait in it.
    var waitingCount = 0
    /// Whether no record is added to this use any more.
    var isFull = false

    init(_ file: LogFile, _ index: Int, _ memory: UnsafeMutableRawPointer) {
        (self.file, self.index, self.memory, recordsEnd) = (file, index, memory, file.format.recordsEnd)
    }

    // The copies are stored in this order, so that a kill between them leaves the first.
    @inline(__always)
    func store(_ word: LogFormat.Word, _ value: UInt64) {
        let place = memory + word.rawValue
        place.assumingMemoryBound(to: Atomic<UInt64>.self).pointee.store(value, ordering: .releasing)
        (place + 8).assumingMemoryBound(to: Atomic<UInt64>.self).pointee.store(value, ordering: .releasing)
        (memory + recordsEnd + word.rawValue).assumingMemoryBound(to: Atomic<UInt64>.self).pointee
            .store(value, ordering: .releasing)
    }
}

/// A segment that is being filled.
struct SegmentWriter {
    let segment: Segment
    // The segment does not keep it.
    let file: LogFile
    private let hasSeals: Bool
    private let recordsEnd: Int
    /// Where the segment begins in its file.
    private let start: Int
    /// The end of the records.
    private(set) var end = SegmentEnd.start
    /// The end of the records that the store has taken.
    var taken = SegmentEnd.start

    init(_ segment: Segment) {
        (self.segment, file) = (segment, segment.file)
        (hasSeals, recordsEnd) = (segment.file.hasSeals, segment.file.format.recordsEnd)
        start = segment.file.format.start(of: segment.index)
    }

    /// Adds a record.
    /// - Returns: Whether there was room.
    @inline(__always)
    mutating func append(_ record: EventRecord) -> Bool {
        let size = record.size(hasSeal: hasSeals)
        guard end.offset + size <= recordsEnd, start + end.offset < Place.maxOffset else { return false }
        record.write(to: segment.memory, at: end.offset, generation: hasSeals ? segment.generation : nil)
        end = SegmentEnd(offset: end.offset + size, count: end.count + 1)
        if hasSeals { segment.store(.published, end.word) }
        return true
    }

}

/// Memory that is mapped, until the last reference goes.
final class MappedMemory: Sendable {
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
}

extension EventStoreError {
    /// The failure of an operation on a file.
    init(_ operation: FileError.Operation, _ path: String, _ errorNumber: Int32 = errno) {
        self.init(FileError(operation, path: path, errorNumber: errorNumber))
    }

    init(_ failure: FileError) {
        let isFull = [ENOSPC, EDQUOT, EFBIG].contains(failure.errorNumber)
        self.init(isFull ? .full : .unavailable, reason: failure.description, cause: failure)
    }
}
