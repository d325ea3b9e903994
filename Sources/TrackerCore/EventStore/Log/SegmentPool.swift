import TrackerPlatform

/// The segments that threads fill: of files or, while files have no space, of memory that ends with the process.
///
/// One file at a time is filled. Its segments are used again as soon as no records wait in them, until all are full.
/// When no records wait in a full file any more, it is removed, or used again under another number, so that no record
/// of a file is older than one of an earlier file. In memory, each segment is a separate file.
package final class SegmentPool: Sendable {
    /// Creates a file with a number.
    typealias Make = @Sendable (UInt32) throws(EventStoreError) -> LogFile

    private struct State {
        /// The file that is being filled.
        var current: LogFile?
        /// The free segments of the current file. The last one is used first, because its pages are in memory.
        var free: [Segment] = []
        /// The files to be filled next.
        var upcoming: [LogFile] = []
        /// The memory that can be filled again.
        var spare: [LogFile] = []
        /// The files whose filling has begun, until the log takes them.
        var begun: [LogFile] = []
        var lastGeneration: UInt64 = 0
        var lastNumber: UInt32 = 0
        /// Creates a file with a number; nil without a slot.
        var make: Make?
        /// The number of slots so far.
        var slotCount = 0
        /// Whether a file is being created.
        var isGrowing = false
        /// The last failure to create a file; nil if the last attempt succeeded.
        var growthFailure: EventStoreError?
        /// The size of the memory in bytes.
        var memoryBytes = 0

        mutating func begin() -> Segment? {
            if free.isEmpty, !upcoming.isEmpty {
                let next = upcoming.removeFirst()
                begun.append(next)
                (current, free) = (next, next.segments.reversed())
            }
            return free.popLast()
        }

        /// Leaves all files.
        /// - Returns: The files without used segments.
        mutating func leave() -> [LogFile] {
            defer { (current, free, upcoming) = (nil, [], []) }
            return upcoming + [current].compactMap(\.self).filter { $0.usedCount == 0 }
        }
    }

    /// The maximum numbers of files and of memory segments that are kept to be filled again.
    private static let (maxUpcoming, maxSpare) = (2, 16)

    let format: LogFormat
    /// The maximum size of the memory in bytes.
    private let maxMemoryBytes: Int
    private let state = Locked(State())

    init(format: LogFormat = .standard, maxMemoryBytes: Int) {
        self.format = format
        // Addresses cannot name more files.
        self.maxMemoryBytes = min(maxMemoryBytes, RecordAddress.maxFiles / 2 * format.segmentSize)
    }

    /// The last failure to create a file; nil if the last attempt succeeded.
    var growthFailure: EventStoreError? { state.withLock { $0.growthFailure } }

    /// Whether a file is being created.
    var isGrowing: Bool { state.withLock { $0.isGrowing } }

    /// The file that is being filled; nil if there is none.
    var current: LogFile? { state.withLock { $0.current } }

    /// Begins a use of a segment.
    /// - Parameters:
    ///   - size: The size in bytes of a record that must fit.
    ///   - isDurable: Whether the segment must be in a file.
    /// - Returns: The segment, nil if there is none; and whether a file should be created.
    func begin(for size: Int, isDurable: Bool = false) -> (segment: Segment?, isLow: Bool) {
        state.withLock { state in
            let isUsual = hasRoom(for: size)
            var segment = isUsual ? state.begin() : nil
            if segment == nil, !isDurable {
                let format =
                    isUsual ? LogFormat(segmentSize: format.segmentSize, segmentCount: 1) : LogFormat(recordBytes: size)
                if let file = memoryFile(format, &state) {
                    state.begun.append(file)
                    segment = file.segments[0]
                }
            }
            let isLow =
                (segment != nil || isDurable) && state.make != nil && !state.isGrowing && state.growthFailure == nil
                && state.upcoming.isEmpty && state.free.count < format.segmentCount / 2
            if isLow { state.isGrowing = true }
            return (segment.map { begin($0, &state) }, isLow)
        }
    }

    /// Begins the first segment of new memory with a format; nil if the memory would exceed its bound.
    func beginMemory(_ format: LogFormat) -> Segment? {
        state.withLock { state in
            memoryFile(format, &state).map { begin($0.segments[0], &state) }
        }
    }

    private func memoryFile(_ format: LogFormat, _ state: inout State) -> LogFile? {
        if let spare = state.spare.last, spare.format == format { return state.spare.popLast() }
        guard state.memoryBytes + format.size <= maxMemoryBytes, let file = LogFile(memory: format) else { return nil }
        state.memoryBytes += format.size
        return file
    }

    /// Releases a segment without waiting records.
    /// - Returns: Whether its file is not needed any more.
    func release(_ segment: Segment) -> Bool {
        state.withLock { state in
            let file = segment.file
            file.usedCount -= 1
            if file === state.current {
                state.free.append(segment)
                return false
            }
            return file.usedCount == 0
        }
    }

    /// Keeps a file without waiting records, to be filled again, if it is needed.
    /// - Parameters:
    ///   - file: The file.
    ///   - rename: Renames the file to a number, so that it is the youngest.
    /// - Returns: Whether it is kept.
    func keep(_ file: LogFile, rename: (UInt32) throws -> Void) -> Bool {
        // A file that another thread is creating would have an earlier number.
        let number: UInt32? = state.withLock { state in
            guard file.format == format, !state.isGrowing, state.upcoming.count < Self.maxUpcoming else { return nil }
            state.isGrowing = true
            state.lastNumber += 1
            return state.lastNumber
        }
        guard let number else { return false }
        let isKept = (try? rename(number)) != nil
        state.withLock { state in
            state.isGrowing = false
            if isKept { state.upcoming.append(file) }
        }
        return isKept
    }

    /// Returns the files that are ready to be filled and not needed soon, and releases unused memory.
    func takeUpcoming() -> [LogFile] {
        state.withLock { state in
            state.memoryBytes -= state.spare.reduce(0) { $0 + $1.format.size }
            state.spare = []
            guard state.free.count >= format.segmentCount / 2, !state.isGrowing else { return [] }
            defer { state.upcoming = [] }
            return state.upcoming
        }
    }

    /// Takes back memory that the log does not use any more.
    func takeBack(_ file: LogFile) {
        state.withLock { state in
            if file.format.segmentSize == format.segmentSize, state.spare.count < Self.maxSpare {
                state.spare.append(file)
            } else {
                state.memoryBytes -= file.format.size
            }
        }
    }

    /// Creates files until a file's segments are free. It may wait for the disk.
    /// - Parameter isPopulated: Whether to load their memory in advance, so that threads need not wait for the kernel.
    package func grow(isPopulated: Bool) {
        while let (number, make, slotCount) = nextFile() {
            do throws(EventStoreError) {
                let file = try make(number)
                // Linux before 5.14 does not support it, and nothing else depends on it.
                if isPopulated, let memory = file.memory { madvise(memory.start, memory.size, MADV_POPULATE_WRITE) }
                let isOwn = state.withLock { state in
                    // Another slot may have been taken meanwhile.
                    if state.slotCount == slotCount { state.upcoming.append(file) }
                    state.growthFailure = nil
                    return state.slotCount == slotCount
                }
                if !isOwn, let location = file.location, location.isInPlace { unlink(location.path) }
            } catch {
                state.withLock { ($0.isGrowing, $0.growthFailure) = (false, error) }
                return
            }
        }
    }

    private func nextFile() -> (UInt32, Make, slotCount: Int)? {
        state.withLock { state in
            let count = state.free.count + state.upcoming.count * format.segmentCount
            guard let make = state.make, count < format.segmentCount else {
                state.isGrowing = false
                return nil
            }
            state.isGrowing = true
            state.lastNumber += 1
            return (state.lastNumber, make, state.slotCount)
        }
    }

    /// Allows another attempt to create files, if the last one failed.
    /// - Returns: Whether another attempt is allowed.
    func retry() -> Bool {
        state.withLock { state in
            guard state.growthFailure != nil, !state.isGrowing else { return false }
            (state.isGrowing, state.growthFailure) = (true, nil)
            return true
        }
    }

    /// Uses the files of a slot from now on.
    /// - Parameters:
    ///   - lastNumber: The highest number of a file of the service.
    ///   - make: Creates a file with a number; nil if there is no slot any more.
    /// - Returns: The files that were ready to be filled.
    func use(lastNumber: UInt32, _ make: Make?) -> [LogFile] {
        state.withLock { state in
            (state.make, state.lastNumber) = (make, max(lastNumber, state.lastNumber))
            state.slotCount += 1
            state.growthFailure = nil
            return state.leave()
        }
    }

    /// Stops filling files until one can be created again.
    /// - Parameter failure: The reason.
    /// - Returns: The files that were ready to be filled.
    func leave(_ failure: EventStoreError) -> [LogFile] {
        state.withLock { state in
            state.growthFailure = failure
            return state.leave()
        }
    }

    /// Skips the numbers up to one that a file of another process has.
    func skip(to number: UInt32) {
        state.withLock { $0.lastNumber = max($0.lastNumber, number) }
    }

    /// A number for a file that is neither created nor kept here.
    func nextNumber() -> UInt32 {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    /// Returns the files whose filling has begun since the last call.
    func takeBegun() -> [LogFile] {
        state.withLock { state in
            defer { state.begun = [] }
            return state.begun
        }
    }

    /// Whether a thread may continue to fill a file. Memory is not filled while a file has free segments.
    func isCurrent(_ file: LogFile) -> Bool {
        state.withLock { state in
            file.hasSeals ? file === state.current : state.free.isEmpty && state.upcoming.isEmpty
        }
    }

    /// Whether a thread fills a file or may begin to fill it.
    func isUsed(_ file: LogFile) -> Bool {
        state.withLock { state in
            file === state.current
                || file.usedCount != file.segments.count { $0.isFull && $0.waitingCount > 0 }
        }
    }

    /// Whether a record fits into a usual segment.
    func hasRoom(for size: Int) -> Bool { LogFormat.segmentHeaderSize + size <= format.recordsEnd }

    /// Begins the first segment of a file outside of the pool.
    func begin(_ file: LogFile) -> Segment {
        state.withLock { begin(file.segments[0], &$0) }
    }

    private func begin(_ segment: Segment, _ state: inout State) -> Segment {
        segment.file.usedCount += 1
        state.lastGeneration += 1
        segment.generation = state.lastGeneration
        if segment.file.hasSeals {
            segment.store(.published, SegmentEnd.start.word)
            segment.store(.generation, segment.generation)
        }
        return segment
    }

    /// Loads the memory of the segments of the current file that are used next.
    ///
    /// Otherwise the first record on each page would wait for the kernel, and on a busy file system for its journal.
    func prepare() {
        let next = state.withLock { state in
            let next = state.free.suffix(2).filter { !$0.isPrepared }
            for segment in next { segment.isPrepared = true }
            return next
        }
        for segment in next { madvise(segment.memory, format.segmentSize, MADV_POPULATE_WRITE) }
    }
}
