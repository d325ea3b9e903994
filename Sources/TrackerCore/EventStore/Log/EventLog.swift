import TrackerPlatform

/// The log of a process: the files of its slot, or memory without a slot.
///
/// It belongs to the store's thread and may block; only its ``EventIntake`` is shared.
package final class EventLog {
    /// The result of reading a record.
    enum Reading {
        case record(EventRecord)
        case damaged
        /// The record cannot be read now.
        case failed(EventStoreError)
    }

    /// The maximum number of full files that stay mapped.
    private static let maxMappedFull = 2
    private static let maxDescriptors = 4
    /// The maximum size of a read, except for a larger record, and the maximum unneeded gap between two records.
    private static let (maxRead, maxGap) = (1 << 20, 32 << 10)

    let directory: StateDirectory?
    package let intake: EventIntake
    /// The slot of this process; nil while it has none.
    private(set) var slot: StateDirectory.Slot?
    /// The files by index.
    var files: [LogFile?] = []
    /// The segment that the store's thread fills.
    private var writer: SegmentWriter?
    private var descriptors: [(file: LogFile, descriptor: Int32)] = []
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 16)
    /// The records that are done but could not be marked.
    private var unmarked: [RecordAddress] = []
    /// The last failure to remove, rename or compact a file since this was last read.
    var failure: EventStoreError?
    /// Whether a file was created or renamed since the last sync.
    var isDirectoryDirty = false
    /// Whether the file system of the slot copies on write.
    private var copiesOnWrite = false
    /// Whether a file was found missing since the last ``leaveIfVanished()``.
    private var hasVanished = false

    package var pool: SegmentPool { intake.pool }

    init(directory: StateDirectory?, maxMemoryBytes: Int) {
        self.directory = directory
        // The waiting events, as many that are done beside them, and a burst of some 130,000 that are not taken yet.
        let bound = 2 * maxMemoryBytes + 144 << 20
        intake = EventIntake(pool: SegmentPool(format: directory?.format ?? .standard, maxMemoryBytes: bound))
    }

    deinit {
        buffer.deallocate()
        closeDescriptors { _ in true }
    }

    /// Takes a slot of the directory, which replaces the current one.
    /// - Returns: The result; nil without a directory.
    func open() throws(EventStoreError) -> StateDirectory.Opened? {
        guard let directory else { return nil }
        let opened = try directory.open()
        (slot, copiesOnWrite) = (opened.slot, directory.copiesOnWrite)
        useFiles(of: opened.slot, lastNumber: opened.lastNumber)
        pool.prepare()
        // Move the files of the previous slot.
        for file in pool.takeBegun() { register(file) }
        for case let file? in files where file.isDurable {
            do throws(EventStoreError) { try moveToSlot(file) } catch { failure = error }
        }
        return opened
    }

    private func useFiles(of slot: StateDirectory.Slot, lastNumber: UInt32) {
        // Without the lock, which the pool must not retain.
        let (directory, slot) = (slot.directory, slot.number)
        let former = pool.use(lastNumber: lastNumber) { number throws(EventStoreError) in
            try LogFile(making: number, directory.format, in: slot, directory)
        }
        for file in former { discard(file) }
        pool.grow(isPopulated: false)
        isDirectoryDirty = true
    }

    /// Leaves files that were removed or replaced while they were in use, and the slot if its lock was; their mapped
    /// contents stay in memory.
    /// - Returns: The path of one of them; nil if all are in place.
    func leaveIfVanished() -> String? {
        guard let slot else { return nil }
        let (isLockInPlace, current) = (slot.lock.isAtItsPath, pool.current)
        let gone = current?.location.flatMap { $0.isInPlace ? nil : $0.path }
        guard !isLockInPlace || gone != nil || hasVanished else { return nil }
        hasVanished = false
        for file in pool.takeBegun() { register(file) }
        retireWriter()
        var path = gone ?? slot.file("lock")
        for case let file? in files {
            guard let location = file.location, !location.isInPlace else { continue }
            path = location.path
            file.location = nil
        }
        if isLockInPlace {
            if gone != nil { useFiles(of: slot, lastNumber: 0) }
        } else {
            self.slot = nil
            for file in pool.use(lastNumber: 0, nil) { discard(file) }
        }
        // Events that are tracked from now on go to a file again.
        intake.retireFormer()
        return path
    }

    /// Whether a file may be filled. Where the file system copies on write and is almost full, a write to its memory
    /// would wait for space.
    private func mayFill(_ path: String?) -> Bool {
        !copiesOnWrite || path.map { LogFile.hasRoom($0, 4 * pool.format.size) } ?? true
    }

    /// Retires the current file if it may not be filled.
    func leaveIfFull() {
        guard let path = pool.current?.location?.path, !mayFill(path) else { return }
        retireWriter()
        for file in pool.leave(EventStoreError(.write, path, ENOSPC)) { discard(file) }
        intake.retireFormer()
    }

    /// Whether a record outlives the process.
    func isDurable(_ address: RecordAddress) -> Bool { files[address.file]?.isDurable ?? false }

    /// Removes the files without waiting records, and releases the slot. No thread may fill a segment any more.
    func close() {
        writer = nil
        for file in pool.use(lastNumber: 0, nil) { discard(file) }
        for file in pool.takeBegun() { register(file) }
        for case let file? in files {
            if file.waiting.events == 0 { discard(file) } else if !file.isSealed, file.hasSeals { file.seal() }
        }
        closeDescriptors { _ in true }
        slot = nil
    }

    // MARK: Append

    /// Takes records that threads have written.
    /// - Parameters:
    ///   - portions: The records.
    ///   - body: Called with each record and its address.
    /// - Returns: The number of damaged records.
    func accept(_ portions: [EventIntake.Portion], _ body: (EventRecord, RecordAddress) -> Void) -> Int {
        for file in pool.takeBegun() { register(file) }
        if let segment = writer?.segment, !pool.isCurrent(segment.file) { retireWriter() }
        var damaged = 0
        for portion in portions {
            let (segment, file, start, end) = portion.writer.untaken
            file.generations[segment.index] = segment.generation
            let bytes = UnsafeRawBufferPointer(start: segment.memory, count: end.offset)
            var (offset, count) = (start.offset, 0)
            while offset < end.offset,
                let record = EventRecord(unchecked: bytes, at: offset, hasSeal: file.hasSeals)
            {
                body(record, note(record, in: file, at: file.format.start(of: segment.index) + offset))
                offset += record.size(hasSeal: file.hasSeals)
                count += 1
            }
            damaged += end.count - start.count - count
            if portion.isLast { retire(segment) }
        }
        return damaged
    }

    /// Adds a copy of a record to a file.
    /// - Returns: Its address; nil if it does not fit.
    func append(_ record: EventRecord) -> RecordAddress? {
        if let address = write(record) { return address }
        retireWriter()
        let size = record.size(hasSeal: true)
        var (segment, isLow) = pool.begin(for: size, isDurable: true)
        if isLow {
            pool.grow(isPopulated: true)
            if segment == nil { segment = pool.begin(for: size, isDurable: true).segment }
        }
        for file in pool.takeBegun() { register(file) }
        // A record that does not fit into a usual segment has a file of its own.
        if segment == nil, !pool.hasRoom(for: size), files.count < RecordAddress.maxFiles, let slot,
            let file = try? LogFile(
                making: pool.nextNumber(), LogFormat(recordBytes: size), in: slot.number, slot.directory)
        {
            segment = pool.begin(file)
            register(file)
        }
        guard let segment else { return nil }
        segment.file.generations[segment.index] = segment.generation
        writer = SegmentWriter(segment)
        return write(record)
    }

    private func write(_ record: EventRecord) -> RecordAddress? {
        guard var writer else { return nil }
        let (segment, offset) = (writer.segment, writer.end.offset)
        guard writer.append(record) else { return nil }
        writer.taken = writer.end
        self.writer = writer
        return note(record, in: segment.file, at: segment.file.format.start(of: segment.index) + offset)
    }

    func note(_ record: EventRecord, in file: LogFile, at offset: Int) -> RecordAddress {
        let address = RecordAddress(
            file: file.index, offset: offset, size: record.payload.count, isAnonymous: record.isAnonymous)
        file.waiting += address.amount
        file.isDirty = true
        file.segments[file.format.position(of: offset).segment].waitingCount += 1
        return address
    }

    /// Gives a file an index, so that addresses can name it.
    func register(_ file: LogFile) {
        if file.isDurable { isDirectoryDirty = true }
        file.index = files.firstIndex { $0 == nil } ?? files.count
        if file.index == files.count { files.append(file) } else { files[file.index] = file }
    }

    /// Removes a file's index.
    func forget(_ file: LogFile) {
        if file.index >= 0 { files[file.index] = nil }
        unmarked.removeAll { $0.file == file.index }
        file.index = -1
        closeDescriptors { $0 === file }
    }

    // MARK: Load

    /// Reads records.
    /// - Parameters:
    ///   - addresses: The addresses of the records.
    ///   - body: Called with each record, in their order.
    func read(_ addresses: [RecordAddress], _ body: (Int, Reading) -> Void) {
        var index = 0
        while index < addresses.count {
            let file = files[addresses[index].file]
            guard let file, let (bytes, start, count) = bytes(of: file, addresses[index...]) else {
                // The contents of a file that was never mapped are gone with the file.
                body(index, file?.location.map { .failed(EventStoreError(.open, $0.path)) } ?? .damaged)
                index += 1
                continue
            }
            for next in index..<index + count {
                body(next, reading(bytes, at: addresses[next].offset - start, addresses[next], in: file))
            }
            index += count
        }
    }

    private func reading(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ address: RecordAddress, in file: LogFile)
        -> Reading
    {
        let (segment, position) = file.format.position(of: address.offset)
        guard let record = EventRecord(unchecked: bytes, at: offset, hasSeal: file.hasSeals),
            !file.hasSeals || record.isSealed(in: bytes, at: offset, position, file.generations[segment])
        else { return .damaged }
        return .record(record)
    }

    /// Reads the record of the first address, from a sealed file together with those of some that follow.
    /// - Returns: The bytes, their offset in the file, and the number of addresses in them; nil if the file cannot be
    ///   read.
    private func bytes(
        of file: LogFile, _ addresses: ArraySlice<RecordAddress>
    ) -> (bytes: UnsafeRawBufferPointer, start: Int, count: Int)? {
        if let memory = file.readable {
            return (UnsafeRawBufferPointer(start: memory.start, count: memory.size), 0, 1)
        }
        func end(_ address: RecordAddress) -> Int { address.offset + EventRecord.headerSize + (address.size + 7) & ~7 }
        let first = addresses[addresses.startIndex]
        var (last, count) = (end(first), 1)
        for address in addresses.dropFirst() {
            guard address.file == first.file, address.offset >= last, address.offset - last <= Self.maxGap,
                end(address) - first.offset <= Self.maxRead
            else { break }
            (last, count) = (end(address), count + 1)
        }
        guard let descriptor = descriptor(of: file) else { return nil }
        var read = read(descriptor, at: first.offset, last - first.offset)
        // A part of the disk may be unreadable.
        if read < last - first.offset, count > 1 {
            (last, count) = (end(first), 1)
            read = self.read(descriptor, at: first.offset, last - first.offset)
        }
        return (UnsafeRawBufferPointer(start: buffer.baseAddress, count: read), first.offset, count)
    }

    /// Reads bytes into the buffer.
    private func read(_ descriptor: Int32, at offset: Int, _ count: Int) -> Int {
        // A single record may be much larger than the others.
        if buffer.count < count || buffer.count > 2 * Self.maxRead && count <= Self.maxRead {
            buffer.deallocate()
            buffer = .allocate(byteCount: max(count, Self.maxRead), alignment: 16)
        }
        return LogFile.read(descriptor, at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(count)))
    }

    /// Reads bytes of a file, and passes those that can be read to `body`.
    func withBytes<Result>(
        of descriptor: Int32, at offset: Int, _ count: Int, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let count = read(descriptor, at: offset, count)
        return body(UnsafeRawBufferPointer(start: buffer.baseAddress, count: count))
    }

    /// The descriptor of a file to read, mark or sync; nil if it cannot be opened.
    func descriptor(of file: LogFile) -> Int32? {
        if let descriptor = file.descriptor { return descriptor }
        if let known = descriptors.first(where: { $0.file === file }) { return known.descriptor }
        guard let location = file.location else { return nil }
        let descriptor = LogFile.open(location.path)
        if descriptor < 0, errno != ENOENT, errno != ENOTDIR { return nil }
        var information = stat()
        guard descriptor >= 0, fstat(descriptor, &information) == 0, FileIdentity(information) == location.identity
        else {
            if descriptor >= 0 { TrackerPlatform.close(descriptor) }
            (file.location, hasVanished) = (nil, true)
            return nil
        }
        if descriptors.count == Self.maxDescriptors { TrackerPlatform.close(descriptors.removeFirst().descriptor) }
        descriptors.append((file, descriptor))
        return descriptor
    }

    func closeDescriptors(where isClosed: (LogFile) -> Bool) {
        for entry in descriptors where isClosed(entry.file) { TrackerPlatform.close(entry.descriptor) }
        descriptors.removeAll { isClosed($0.file) }
    }

    // MARK: Finish

    /// Marks records as done.
    func finish(_ addresses: [RecordAddress]) {
        var index = 0
        while index < addresses.count {
            let count = markTogether(addresses[index...])
            if count == 0, let file = files[addresses[index].file], !mark(addresses[index], in: file) {
                unmarked.append(addresses[index])
            }
            index += max(count, 1)
        }
        for address in addresses {
            guard let file = files[address.file] else { continue }
            file.waiting -= address.amount
            guard !file.isSealed else {
                if file.waiting.events == 0 { discard(file) }
                continue
            }
            let segment = file.segments[file.format.position(of: address.offset).segment]
            segment.waitingCount -= 1
            if segment.waitingCount > 0 { continue }
            if segment.isFull {
                release(segment)
            } else if writer?.segment === segment {
                writer = nil
                release(segment)
            } else if intake.retire(segment) {
                release(segment)
            }
        }
    }

    /// Marks some of the first addresses together, if they are in a sealed file and close to each other: a single write
    /// of all their bytes is faster than one for each mark.
    /// - Returns: The number of marked addresses.
    private func markTogether(_ addresses: ArraySlice<RecordAddress>) -> Int {
        guard let first = addresses.first, let file = files[first.file], file.isSealed, file.isDurable,
            let (bytes, _, count) = bytes(of: file, addresses), count > 1, bytes.count < count << 12,
            addresses[addresses.startIndex + count - 1].offset - first.offset + EventRecord.headerSize <= bytes.count,
            let descriptor = descriptor(of: file)
        else { return 0 }
        for address in addresses.prefix(count) {
            buffer.storeBytes(
                of: file.mark(at: address.offset), toByteOffset: address.offset - first.offset + DoneMark.offset,
                as: UInt64.self)
        }
        let written = pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(first.offset))
        return written == bytes.count ? count : 0
    }

    private func mark(_ address: RecordAddress, in file: LogFile) -> Bool {
        guard file.hasSeals else { return true }
        let (mark, offset) = (file.mark(at: address.offset), address.offset + DoneMark.offset)
        if let memory = file.readable {
            (memory.start + offset).storeBytes(of: mark, as: UInt64.self)
            return true
        }
        return descriptor(of: file).map { Self.write(mark, to: $0, at: offset) } ?? (file.location == nil)
    }

    static func write(_ mark: UInt64, to descriptor: Int32, at offset: Int) -> Bool {
        withUnsafeBytes(of: mark) { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) == $0.count }
    }

    /// The number of records that are done but could not be marked: after a kill they would be sent again.
    var unmarkedCount: Int { unmarked.count }

    /// Retries the marks that failed.
    func markAgain() {
        let addresses = unmarked
        unmarked = []
        for address in addresses {
            if let file = files[address.file], file.waiting.events > 0, !mark(address, in: file) {
                unmarked.append(address)
            }
        }
    }

    private func retireWriter() {
        guard let segment = writer?.segment else { return }
        writer = nil
        retire(segment)
    }

    private func retire(_ segment: Segment) {
        segment.isFull = true
        if segment.waitingCount == 0 { release(segment) }
    }

    private func release(_ segment: Segment) {
        segment.isFull = false
        let file = segment.file
        guard pool.release(segment) else { return }
        forget(file)
        if !file.hasSeals {
            pool.takeBack(file)
        } else if !mayFill(file.location?.path) || !pool.keep(file, rename: { try rename(file, to: $0) }) {
            discard(file)
        }
    }

    /// Renames a file to a number of the slot.
    func rename(_ file: LogFile, to number: UInt32) throws(EventStoreError) {
        guard let slot, var location = file.location else {
            throw EventStoreError(.unavailable, reason: "there is no slot")
        }
        let path = slot.file(number)
        try slot.directory.willChange(path)
        guard location.isInPlace, TrackerPlatform.rename(location.path, path) == 0 else {
            throw EventStoreError(.rename, location.path)
        }
        (location.path, location.number) = (path, number)
        file.location = location
        isDirectoryDirty = true
    }

    /// Removes a file without waiting records.
    func discard(_ file: LogFile) {
        forget(file)
        guard let location = file.location, location.isInPlace else { return }
        if unlink(location.path) != 0, errno != ENOENT { failure = EventStoreError(.write, location.path) }
    }

    // MARK: Seal and sync

    /// Seals full files, so that their waiting records take no memory.
    func sealFull() {
        let full = files.compactMap(\.self).filter { !$0.isSealed && $0.isDurable && !pool.isUsed($0) }
        guard full.count > Self.maxMappedFull else { return }
        let oldestFirst = full.sorted { $0.location?.number ?? 0 < $1.location?.number ?? 0 }
        for file in oldestFirst.dropLast(Self.maxMappedFull) { file.seal() }
    }

    /// Makes the records of files survive a power failure.
    func sync() throws(EventStoreError) {
        for case let file? in files where file.isDirty && file.isDurable {
            guard let descriptor = descriptor(of: file), fdatasync(descriptor) == 0 else {
                throw EventStoreError(.write, file.location?.path ?? "a file of the log")
            }
            file.isDirty = false
        }
        if isDirectoryDirty, let slot { StandardDirectory.sync(slot.directory.path) }
        isDirectoryDirty = false
    }
}
