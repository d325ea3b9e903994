import Synchronization
import TrackerPlatform

/// A file of the log, or memory in its place.
///
/// The current file is mapped. A sealed file is read by `pread` and marked by `pwrite`, so that a bad sector or a
/// truncated file is an error and not a signal.
final class LogFile: @unchecked Sendable {
    /// The location of a file.
    struct Location: Equatable {
        var path: String
        /// The number in its name, which is its age: later files have higher numbers.
        var number: UInt32
        let identity: FileIdentity

        /// Whether the file is still at its path; true if that cannot be determined.
        var isInPlace: Bool {
            guard let found = FileIdentity(path) else { return errno != ENOENT && errno != ENOTDIR }
            return found == identity
        }
    }

    let format: LogFormat
    /// The mapped memory; nil if mapping failed.
    let memory: MappedMemory?
    /// Whether its records have seals and marks; records in memory have none.
    let hasSeals: Bool
    /// The parts that threads fill; empty for a file that is sealed from the start.
    private(set) var segments: [Segment] = []

    // Protected by the lock of the pool.
    /// The segments that were begun and not released.
    var usedCount = 0

    // Used by the store's thread only, after the file is added to a log.
    /// The index by which ``RecordAddress``s name it.
    var index = -1
    /// nil if no other process can find the file, so that it ends with this process.
    var location: Location? { didSet { isDurable = location != nil } }
    /// Whether its contents outlive the process.
    private(set) var isDurable: Bool
    /// The current use of each segment.
    var generations: [UInt64]
    /// The amount of waiting events.
    var waiting = EventAmount.zero
    private(set) var isSealed: Bool
    /// Whether records were added since the last sync.
    var isDirty = false
    /// Whether its header says that it takes records of other files.
    var hasTaken = false
    /// The open file while it is filled, with a lock against other processes.
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

    /// Memory that ends with the process; nil if it cannot be allocated.
    convenience init?(memory format: LogFormat) {
        // Pages take memory only after their first use.
        let start = mmap(nil, format.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let start, start != MAP_FAILED else { return nil }
        self.init(format, MappedMemory(start, format.size), nil, nil, isSealed: false)
    }

    /// Creates a file that can be filled.
    /// - Parameters:
    ///   - number: The number in its name.
    ///   - format: Its layout.
    ///   - slot: The number of the slot.
    ///   - directory: The directory.
    /// - Throws: If it cannot be created, or if the disk does not have ``StateDirectory/neededRoom(for:)``.
    convenience init(
        making number: UInt32, _ format: LogFormat, in slot: Int, _ directory: StateDirectory
    ) throws(EventStoreError) {
        let path = directory.file(slot, number)
        try directory.willChange(path)
        guard Self.hasRoom(directory.path, directory.neededRoom(for: format)) else {
            throw EventStoreError(.write, path, ENOSPC)
        }
        let lock = try Self.makeEmpty(path)
        do throws(EventStoreError) {
            try Self.allocate(lock.descriptor, path, format.size)
            try Self.write(LogHeader(format: format).bytes, to: lock.descriptor, path, at: 0)
            let memory = mmap(nil, format.size, PROT_READ | PROT_WRITE, MAP_SHARED, lock.descriptor, 0)
            guard let memory, memory != MAP_FAILED else { throw EventStoreError(.open, path) }
            // Only the parent process may use the file.
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

    /// A file that is sealed from the start. It is mapped too, so that it can be read after its removal from its path.
    convenience init(sealed location: Location, _ format: LogFormat, _ descriptor: Int32, size: Int) {
        // Not more than the file has, because a read beyond its last page would end the process.
        let size = min(format.size, (size + 4095) & ~4095)
        let start = size > 0 ? mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0) : MAP_FAILED
        let memory = start.flatMap { $0 == MAP_FAILED ? nil : MappedMemory($0, size) }
        if let memory { madvise(memory.start, size, MADV_DONTFORK) }
        self.init(format, memory, location, nil, isSealed: true)
    }

    /// The size of the used disk space or memory, in bytes.
    var usedBytes: Int { hasSeals ? format.size : usedCount * format.segmentSize }

    /// The memory for reads and marks; nil if the file has to be read from the disk.
    var readable: MappedMemory? { isSealed && isDurable ? nil : memory }

    /// The open file while it is filled.
    var descriptor: Int32? { lock?.descriptor }

    /// Prevents further records, and releases the memory.
    func seal() {
        guard !isSealed else { return }
        isSealed = true
        if let memory { madvise(memory.start, memory.size, MADV_DONTNEED) }
        lock = nil
    }

    /// The mark of a record that is done, for its offset.
    func mark(at offset: Int) -> UInt64 {
        let (segment, offset) = format.position(of: offset)
        return DoneMark.of(generations[segment], offset)
    }

    /// Creates an empty file that only this user can read and only this process uses.
    static func makeEmpty(_ path: String) throws(EventStoreError) -> FileLock {
        guard FileIdentity(path) == nil else { throw EventStoreError(.open, path, EEXIST) }
        let lock = try EventStoreError.converted { () throws(FileError) in try FileLock(path: path) }
        guard let lock else { throw EventStoreError(.open, path, EWOULDBLOCK) }
        // Otherwise a file system that copies on write allocates new blocks for each write, and kills the process when
        // it is full. `FS_NOCOW_FL` works only before a file has blocks; other file systems reject it.
        var flags = 0
        if ioctl(lock.descriptor, 0x8008_6601, &flags) == 0 {
            flags |= 0x0080_0000
            _ = ioctl(lock.descriptor, 0x4008_6602, &flags)
        }
        return lock
    }

    /// Opens a file to read, mark or sync it.
    /// - Returns: The descriptor; negative if it cannot be opened.
    static func open(_ path: String) -> Int32 {
        TrackerPlatform.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    }

    /// Whether the file system of a path has a number of bytes free; true if that is unknown.
    static func hasRoom(_ path: String, _ size: Int) -> Bool {
        var room = statvfs()
        return statvfs(path, &room) != 0 || room.f_bavail >= UInt(size) / max(room.f_frsize, 1)
    }

    /// Allocates all blocks of a file, so that a write to its memory cannot fail on a full disk.
    private static func allocate(_ descriptor: Int32, _ path: String, _ size: Int) throws(EventStoreError) {
        // A file that exceeds the limit would raise a signal that stops the process.
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) != 0 || limit.rlim_cur >= UInt(size) else {
            throw EventStoreError(.write, path, EFBIG)
        }
        var code: Int32
        repeat { code = posix_fallocate(descriptor, 0, off_t(size)) } while code == EINTR
        guard code == 0 else { throw EventStoreError(.write, path, code) }
    }

    /// Writes all bytes.
    static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String, at offset: Int) throws(EventStoreError) {
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

    /// Reads bytes; fewer at the end of the file or if a part cannot be read.
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

/// A part of a file that is filled by one thread at a time.
final class Segment: @unchecked Sendable {
    // Unowned, because the file owns its segments, and every user of a segment retains the file.
    unowned let file: LogFile
    let index: Int
    let memory: UnsafeMutableRawPointer
    private let recordsEnd: Int
    /// The number of the current use, which never repeats in a process; changed when a use begins.
    var generation: UInt64 = 0

    /// Whether its memory was loaded in advance. Protected by the lock of the pool.
    var isPrepared = false

    // Used by the store's thread only.
    /// The number of waiting records.
    var waitingCount = 0
    /// Whether no more records are added in this use.
    var isFull = false

    init(_ file: LogFile, _ index: Int, _ memory: UnsafeMutableRawPointer) {
        (self.file, self.index, self.memory, recordsEnd) = (file, index, memory, file.format.recordsEnd)
    }

    // The copies are stored in this order, so that a kill between two stores leaves the first one valid.
    @inline(__always)
    func store(_ word: LogFormat.Word, _ value: UInt64) {
        let pointer = memory + word.rawValue
        pointer.assumingMemoryBound(to: Atomic<UInt64>.self).pointee.store(value, ordering: .releasing)
        (pointer + 8).assumingMemoryBound(to: Atomic<UInt64>.self).pointee.store(value, ordering: .releasing)
        (memory + recordsEnd + word.rawValue).assumingMemoryBound(to: Atomic<UInt64>.self).pointee
            .store(value, ordering: .releasing)
    }
}

/// A segment that is being filled.
struct SegmentWriter {
    let segment: Segment
    // Retained here, because the segment does not retain its file.
    let file: LogFile
    private let hasSeals: Bool
    private let recordsEnd: Int
    /// The offset of the segment in its file.
    private let start: Int
    /// The end of the records.
    private(set) var end = SegmentEnd.start
    /// The end of the records that the store has taken.
    var taken = SegmentEnd.start

    /// The records that the store has not taken: their segment and file, their start and their end.
    var untaken: (Segment, LogFile, start: SegmentEnd, end: SegmentEnd) { (segment, file, taken, end) }

    init(_ segment: Segment) {
        (self.segment, file) = (segment, segment.file)
        (hasSeals, recordsEnd) = (segment.file.hasSeals, segment.file.format.recordsEnd)
        start = segment.file.format.start(of: segment.index)
    }

    /// Adds a record.
    /// - Returns: Whether the record fits.
    @inline(__always)
    mutating func append(_ record: EventRecord) -> Bool {
        let size = record.size(hasSeal: hasSeals)
        guard end.offset + size <= recordsEnd, start + end.offset < RecordAddress.maxOffset else { return false }
        record.write(to: segment.memory, at: end.offset, generation: hasSeals ? segment.generation : nil)
        end = SegmentEnd(offset: end.offset + size, count: end.count + 1)
        if hasSeals { segment.store(.published, end.word) }
        return true
    }
}

/// Mapped memory, which is unmapped with the last reference.
final class MappedMemory: Sendable {
    nonisolated(unsafe) let start: UnsafeMutableRawPointer
    let size: Int
    private let process = getpid()

    init(_ start: UnsafeMutableRawPointer, _ size: Int) {
        (self.start, self.size) = (start, size)
    }

    deinit {
        // A forked child does not inherit the file's memory, and may have other memory at its address.
        if process == getpid() { munmap(start, size) }
    }
}
