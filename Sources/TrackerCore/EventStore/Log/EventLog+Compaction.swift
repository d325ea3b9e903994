import TrackerPlatform

/// Compaction copies the waiting records of sparse files into a new file, which is valid from its rename on. Its header
/// lists the records that it takes from other files, so that the next process marks them as done if this one ends
/// before that.
extension EventLog {
    /// The maximum size of records that are copied at a time, in bytes.
    private static let maxCompactedBytes = 8 << 20
    /// The maximum number of records that are taken at a time.
    static let maxTaken = 1 << 20

    /// Whether the files are larger than twice the waiting records and two more files.
    package var isSparse: Bool {
        var (used, waiting) = (0, 0)
        for case let file? in files {
            used += file.usedBytes
            waiting += file.waiting.bytes
        }
        return used > 2 * waiting + 2 * pool.format.size
    }

    /// The files to compact if the log is sparse: those with the fewest waiting bytes, as many as fit into one file.
    func sparseFiles() -> [LogFile] {
        guard isSparse else { return [] }
        var bytes = 0
        return files.compactMap(\.self)
            .filter { $0.waiting.events > 0 && $0.isDurable == (slot != nil) && !pool.isUsed($0) }
            .sorted { $0.waiting.bytes < $1.waiting.bytes }
            .prefix { file in
                // Count the headers of the records too.
                bytes += file.waiting.bytes + file.waiting.events * (EventRecord.headerSize + 8)
                return bytes <= Self.maxCompactedBytes && 2 * file.waiting.bytes <= file.usedBytes
            }
    }

    /// Copies all waiting records of some files of the slot, or of memory, to one place, and removes the files.
    /// - Parameter addresses: The addresses of the waiting records.
    /// - Returns: The new addresses, with ``RecordAddress/none`` for damaged records; nil if it failed and nothing has
    ///   changed.
    func compact(_ addresses: [RecordAddress]) -> [RecordAddress]? {
        slot == nil ? compactToMemory(addresses) : compactToDisk(addresses)
    }

    private func compactToMemory(_ addresses: [RecordAddress]) -> [RecordAddress]? {
        let bytes = addresses.reduce(0) { $0 + EventRecord.shortHeaderSize + ($1.size + 7) & ~7 }
        guard let segment = pool.beginMemory(LogFormat(recordBytes: bytes)) else { return nil }
        let file = segment.file
        register(file)
        var writer = SegmentWriter(segment)
        var taken: [RecordAddress] = []
        read(addresses) { index, reading in
            guard case .record(let record) = reading else { return taken.append(.none) }
            let offset = file.format.start(of: 0) + writer.end.offset
            _ = writer.append(record)
            taken.append(note(record, in: file, at: offset))
        }
        segment.isFull = true
        finish(addresses)
        return taken
    }

    private func compactToDisk(_ addresses: [RecordAddress]) -> [RecordAddress]? {
        let sources = Set(addresses.map(\.file)).compactMap { files[$0] }
        let oldest = sources.min { $0.location?.number ?? 0 < $1.location?.number ?? 0 }
        guard let slot, let oldest, let location = oldest.location else { return nil }
        for source in sources { source.seal() }
        // The new file replaces the oldest one, so that the order stays.
        let others = addresses.filter { $0.file != oldest.index }
        let taken: (file: LogFile, addresses: [RecordAddress])
        do throws(EventStoreError) {
            taken = try copy(addresses, to: location.path, location.number, in: slot, taking: others)
        } catch {
            failure = error
            return nil
        }
        for source in sources {
            let isRemoved =
                source === oldest || source.location.map { (try? slot.directory.willChange($0.path)) != nil } ?? false
            if isRemoved { discard(source) } else { forget(source) }
        }
        // If it fails, or a source still exists, the next process marks the taken records.
        if !sources.contains(where: { $0.location?.isInPlace == true }) { try? forgetTaken(by: taken.file) }
        return taken.addresses
    }

    /// Copies records into a new file of a slot.
    /// - Parameters:
    ///   - addresses: The records.
    ///   - path: The file's path. An existing file is replaced.
    ///   - number: The number in its name.
    ///   - slot: The slot.
    ///   - taken: The records that stay in other files of the slot, where they are done.
    /// - Returns: The file, and the addresses of the records in it; ``RecordAddress/none`` for damaged records.
    /// - Throws: If the file cannot be created or read.
    func copy(
        _ addresses: [RecordAddress], to path: String, _ number: UInt32, in slot: StateDirectory.Slot,
        taking taken: [RecordAddress]
    ) throws(EventStoreError) -> (file: LogFile, addresses: [RecordAddress]) {
        let directory = slot.directory
        let generation: UInt64 = 1
        let format = LogFormat(recordBytes: addresses.reduce(0) { $0 + EventRecord.headerSize + ($1.size + 7) & ~7 })
        var header = LogHeader(format: format)
        let notes = taken.compactMap { address in
            files[address.file].flatMap { file in
                file.location.map {
                    LogHeader.Taken(
                        file: $0.number, unit: UInt32(address.offset / 8), mark: file.mark(at: address.offset))
                }
            }
        }
        header.take(notes)
        var bytes = header.bytes + [UInt8](repeating: 0, count: format.segmentSize)
        var copies: [RecordAddress] = []
        var failure: EventStoreError?
        var end = SegmentEnd.start
        bytes.withUnsafeMutableBytes { bytes in
            guard let segment = bytes.baseAddress.map({ $0 + LogFormat.headerSize }) else { return }
            read(addresses) { index, reading in
                switch reading {
                case .record(let record):
                    record.write(to: segment, at: end.offset, generation: generation)
                    copies.append(
                        RecordAddress(
                            file: 0, offset: LogFormat.headerSize + end.offset, size: record.payload.count,
                            isAnonymous: record.isAnonymous))
                    end = SegmentEnd(offset: end.offset + record.size(hasSeal: true), count: end.count + 1)
                case .damaged: copies.append(.none)
                case .failed(let error): failure = error
                }
            }
            for (word, value) in [(LogFormat.Word.generation, generation), (.published, end.word)] {
                for offset in format.offsets(of: word) {
                    segment.storeBytes(of: value, toByteOffset: offset, as: UInt64.self)
                }
            }
        }
        if let failure { throw failure }
        notes.withUnsafeBytes { bytes += $0 }
        // A power failure must not leave other records at the places of the list.
        for index in Set(taken.map(\.file)) {
            guard let file = files[index], let descriptor = descriptor(of: file), fdatasync(descriptor) == 0 else {
                throw EventStoreError(.write, path)
            }
        }
        let temporary = slot.file("tmp")
        unlink(temporary)
        try directory.willChange(temporary)
        let lock = try LogFile.makeEmpty(temporary)
        do throws(EventStoreError) {
            try LogFile.write(bytes, to: lock.descriptor, temporary, at: 0)
            guard fdatasync(lock.descriptor) == 0 else { throw EventStoreError(.write, temporary) }
        } catch {
            unlink(temporary)
            throw error
        }
        try directory.willChange(path)
        guard TrackerPlatform.rename(temporary, path) == 0, let identity = FileIdentity(path) else {
            throw EventStoreError(.rename, temporary)
        }
        StandardDirectory.sync(directory.path)
        let location = LogFile.Location(path: path, number: number, identity: identity)
        let file = LogFile(sealed: location, format, lock.descriptor, size: bytes.count)
        file.generations[0] = generation
        file.hasTaken = !notes.isEmpty
        register(file)
        copies = copies.map { $0.moved(to: file.index) }
        for address in copies { file.waiting += address.amount }
        return (file, copies)
    }

    /// Notes that the records that a file takes from other files are marked there.
    func forgetTaken(by file: LogFile) throws(EventStoreError) {
        guard file.hasTaken, let path = file.location?.path else { return }
        guard let descriptor = descriptor(of: file) else { throw EventStoreError(.open, path) }
        try forgetTaken(descriptor, path, file.format)
        file.hasTaken = false
    }

    /// Removes the list of the records that a file takes from others.
    func forgetTaken(_ descriptor: Int32, _ path: String, _ format: LogFormat) throws(EventStoreError) {
        guard let directory else { return }
        // Sync the removals first: a power failure could undo them, and the events would be duplicated.
        StandardDirectory.sync(directory.path)
        try directory.willChange(path)
        try LogFile.write(LogHeader(format: format).bytes, to: descriptor, path, at: 0)
        // In another slot, or later, the numbers of the list name other files.
        guard fdatasync(descriptor) == 0 else { throw EventStoreError(.write, path) }
    }
}
