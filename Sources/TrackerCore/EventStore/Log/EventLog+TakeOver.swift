import TrackerPlatform

/// Files of dead processes are taken over by renaming them into the own slot. A file has one name at any moment, so
/// that a kill at any point neither loses nor duplicates an event.
extension EventLog {
    /// The contents of a file of a dead process.
    struct LeftFile {
        let file: LogFile
        /// The waiting events, in the order in which they were tracked.
        var events: [(namespace: ExactText, address: RecordAddress)] = []
        /// The time at which the oldest event of a namespace was tracked, in milliseconds since 1970.
        var oldest: [ExactText: Int64] = [:]
        /// The number of damaged records.
        var damagedCount = 0
        /// The namespace of most events, for which damaged records are counted.
        var neighbour: ExactText?
    }

    /// Takes over the events of some namespaces from a file in a dead process's slot.
    /// - Parameters:
    ///   - number: The file's number.
    ///   - slot: The slot, which this process has locked.
    ///   - isWanted: Whether a namespace belongs to this process.
    /// - Returns: The events that are in the own slot now, and the events that stay in the file, by namespace.
    /// - Throws: If the file cannot be read or renamed, is not a file of the log, or is of a later release.
    func takeOver(
        _ number: UInt32, of slot: StateDirectory.Slot, where isWanted: (ExactText) -> Bool
    ) throws(EventStoreError) -> (taken: LeftFile, stays: [ExactText: UnclaimedEvents]) {
        let (directory, path) = (slot.directory, slot.file(number))
        guard files.count < RecordAddress.maxFiles else {
            throw EventStoreError(.full, reason: "the process has too many files")
        }
        var left = try scan(path, number, of: slot)
        let file = left.file
        var isTaken = false
        defer { if !isTaken { forget(file) } }
        var known: [ExactText: Bool] = [:]
        var stays: [ExactText: UnclaimedEvents] = [:]
        let wanted = left.events.filter { event in
            let isWanted = known[event.namespace] ?? isWanted(event.namespace)
            known[event.namespace] = isWanted
            if !isWanted { stays[event.namespace, default: UnclaimedEvents()].count += 1 }
            return isWanted
        }
        for namespace in stays.keys { stays[namespace]?.oldest = left.oldest[namespace] ?? .max }
        if stays.isEmpty, wanted.isEmpty || left.damagedCount == 0 {
            // The damaged records are removed with the file.
            if wanted.isEmpty {
                try directory.willChange(path)
                discard(file)
            } else {
                try moveToSlot(file)
                isTaken = true
            }
            return (left, [:])
        }
        // The process that takes the last events of the file counts the damaged records.
        if !stays.isEmpty { left.damagedCount = 0 }
        guard !wanted.isEmpty else {
            left.events = []
            return (left, stays)
        }
        let addresses = wanted.map(\.address)
        let between = pool.nextNumber()
        let copy = try copy(addresses, to: slot.file(between), between, in: slot, taking: addresses)
        do throws(EventStoreError) {
            if stays.isEmpty {
                try directory.willChange(path)
                discard(file)
            } else {
                try markTaken(addresses, in: file, path)
            }
            try forgetTaken(by: copy.file)
            try moveToSlot(copy.file)
        } catch {
            // The next search continues here.
            forget(copy.file)
            throw error
        }
        left = LeftFile(file: copy.file, damagedCount: left.damagedCount, neighbour: left.neighbour)
        for (event, address) in zip(wanted, copy.addresses) {
            if address == .none { left.damagedCount += 1 } else { left.events.append((event.namespace, address)) }
        }
        return (left, stays)
    }

    private func markTaken(_ addresses: [RecordAddress], in file: LogFile, _ path: String) throws(EventStoreError) {
        guard let directory, let descriptor = descriptor(of: file) else { throw EventStoreError(.open, path) }
        for address in addresses {
            try directory.willChange(path)
            guard Self.write(file.mark(at: address.offset), to: descriptor, at: address.offset + DoneMark.offset) else {
                throw EventStoreError(.write, path)
            }
        }
        fdatasync(descriptor)
    }

    /// Moves a file of another slot into the own slot.
    func moveToSlot(_ file: LogFile) throws(EventStoreError) {
        guard let slot, let location = file.location else { return }
        // The number is the age. It can be in use only after a copy, or while a list that names it cannot be removed.
        let isFree = !files.contains { $0?.hasTaken == true } && FileIdentity(slot.file(location.number)) == nil
        let number = isFree ? location.number : pool.nextNumber()
        try rename(file, to: number)
        pool.skip(to: number)
    }

    /// Completes the taking that a slot's process began: marks the taken records, and removes unfinished files.
    func completeTaking(of slot: StateDirectory.Slot, _ entries: StateDirectory.Entries) throws(EventStoreError) {
        let directory = slot.directory
        // A copy would replace a file with its number.
        pool.skip(to: entries.files.last ?? 0)
        for name in entries.temporary { unlink("\(directory.path)/\(name)") }
        for number in entries.files {
            let path = slot.file(number)
            let descriptor = LogFile.open(path)
            guard descriptor >= 0 else {
                // Without its list, the records that it takes would be taken over twice.
                if [EMFILE, ENFILE, ENOMEM, EIO].contains(errno) { throw EventStoreError(.open, path) }
                // A path without a file is logged when it is taken over.
                continue
            }
            defer { TrackerPlatform.close(descriptor) }
            guard case .header(let header) = header(of: descriptor), header.takenCount > 0 else { continue }
            let taken = withBytes(of: descriptor, at: header.format.size, header.takenSize) { header.taken(in: $0) }
            for (number, taken) in Dictionary(grouping: taken, by: \.file).sorted(by: { $0.key < $1.key }) {
                let source = slot.file(number)
                let descriptor = LogFile.open(source)
                // It is gone if all its records were taken.
                guard descriptor >= 0 else { continue }
                defer { TrackerPlatform.close(descriptor) }
                for taken in taken {
                    try directory.willChange(source)
                    guard Self.write(taken.mark, to: descriptor, at: Int(taken.unit) * 8 + DoneMark.offset) else {
                        throw EventStoreError(.write, source)
                    }
                }
                fdatasync(descriptor)
            }
            try forgetTaken(descriptor, path, header.format)
        }
    }

    /// Reads a file that no living process uses.
    private func scan(_ path: String, _ number: UInt32, of slot: StateDirectory.Slot) throws(EventStoreError)
        -> LeftFile
    {
        let descriptor = LogFile.open(path)
        guard descriptor >= 0 else { throw EventStoreError(.open, path) }
        // The lock would last as long as the mapped memory.
        defer {
            flock(descriptor, LOCK_UN)
            TrackerPlatform.close(descriptor)
        }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw EventStoreError(.corrupt, reason: "\(path) is not a file")
        }
        // The lock fails if the file's process lives and the slot's lock file was removed.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw EventStoreError(.unavailable, reason: "\(path) is in use, although its slot is free")
        }
        let size = Int(information.st_size)
        var format = size == pool.format.size ? pool.format : LogFormat(wholeFile: size)
        // A power failure can leave an empty file.
        var isKnown = size == 0
        switch header(of: descriptor) {
        case .header(let header): (format, isKnown) = (header.format, true)
        case .newer: throw EventStoreError(.corrupt, reason: "\(path) was written by a newer version of this SDK")
        case .blank: isKnown = size <= LogFormat.maxUnknownSize
        case .unknown: break
        }
        guard isKnown || size <= LogFormat.maxUnknownSize else {
            throw EventStoreError(.corrupt, reason: "\(path) is no file of the event log")
        }
        let location = LogFile.Location(path: path, number: number, identity: FileIdentity(information))
        var left = LeftFile(file: LogFile(sealed: location, format, descriptor, size: size))
        register(left.file)
        var isRead = false
        defer { if !isRead { forget(left.file) } }
        var namespaces = NamespaceFinder()
        var found: [(sequence: UInt32, namespace: Int, address: RecordAddress)] = []
        for index in 0..<format.segmentCount {
            withBytes(of: descriptor, at: format.start(of: index), format.segmentSize) { bytes in
                let contents = SegmentReader(format: format, bytes: bytes).contents()
                left.file.generations[index] = contents.generation
                left.damagedCount += contents.damagedCount
                if contents.doneCount > 0 || !contents.waiting.isEmpty { isKnown = true }
                for (record, offset) in contents.waiting {
                    guard format.start(of: index) + offset < RecordAddress.maxOffset,
                        record.payload.count < EventRecord.maxSize,
                        let namespace = namespaces.index(of: record)
                    else {
                        left.damagedCount += 1
                        continue
                    }
                    let address = RecordAddress(
                        file: left.file.index, offset: format.start(of: index) + offset, size: record.payload.count,
                        isAnonymous: record.isAnonymous)
                    found.append((record.sequence, namespace, address))
                    left.file.waiting += address.amount
                }
            }
        }
        guard isKnown else {
            throw EventStoreError(.corrupt, reason: "\(path) is no file of the event log, or nothing in it can be read")
        }
        // Threads of a process fill segments in parallel; only a single segment is in order.
        if format.segmentCount > 1 { found.sort { ($0.namespace, $0.sequence) < ($1.namespace, $1.sequence) } }
        left.events = found.map { (namespaces.found[$0.namespace].name, $0.address) }
        left.oldest = Dictionary(uniqueKeysWithValues: namespaces.found.map { ($0.name, $0.oldest) })
        left.neighbour = namespaces.found.max { $0.count < $1.count }?.name
        isRead = true
        return left
    }

    private func header(of descriptor: Int32) -> LogHeader.Reading {
        withBytes(of: descriptor, at: 0, LogFormat.headerSize) { LogHeader.read($0) }
    }
}

/// Assigns numbers to the namespaces of records.
private struct NamespaceFinder {
    /// The namespaces by number: the name, the time at which the oldest event was tracked, and the number of events.
    private(set) var found: [(name: ExactText, oldest: Int64, count: Int)] = []
    private var numbers: [ExactText: Int] = [:]
    /// The bytes of the last namespace, because most records have the same one as the previous record.
    private var last: (bytes: [UInt8], number: Int) = ([], 0)

    /// The number of a record's namespace; nil if the record names none.
    mutating func index(of record: EventRecord) -> Int? {
        guard let text = EventScan.bytes(of: "tna", in: record.payload) else { return nil }
        if last.bytes.isEmpty || !text.elementsEqual(last.bytes) {
            guard let name = EventScan.value(of: "tna", in: record.payload) else { return nil }
            let number = numbers[ExactText(name)] ?? found.count
            if number == found.count {
                found.append((ExactText(name), .max, 0))
                numbers[ExactText(name)] = number
            }
            last = (Array(text), number)
        }
        found[last.number].count += 1
        found[last.number].oldest = min(found[last.number].oldest, record.time)
        return last.number
    }
}
