import TrackerPlatform

/// The unsent events of a process: an event log, and a queue of addresses in it for each namespace.
///
/// It belongs to one thread at a time and may block. A namespace is identified by its index, which another one gets
/// after its removal. Changes that the caller did not request are queued as ``Change``; call ``takeChanges()`` after each call.
package final class EventStore {
    /// A change of a namespace's events.
    package enum Change: Equatable {
        /// Events were stored.
        case stored
        /// Events of earlier processes were found.
        case found(Int)
        /// Events were removed and will not be sent.
        case lost(Int, DropReason, detail: String)
    }

    /// The store's data of a namespace.
    struct Partition {
        /// The name of removed namespaces, which no namespace can have.
        static let none = ""

        let namespace: String
        /// The receiver of the payloads of dropped events.
        var recipient: DropRecipient?
        var queue = EventQueue()
        /// The amount of the events that are in memory only.
        var inMemory = EventAmount.zero
        /// The id of the last event that is loaded and not released; 0 if there is none.
        var lastLoaded: Int64 = 0
        /// The uptime of the last search for expired events.
        var lastExpiry: Duration?
        /// The last of the oldest events with time stamps in the future, and the uptime of the last check of them all.
        var future: (last: Int64, checked: Duration) = (0, .zero)
    }

    /// The built-in bound of events in memory, in bytes.
    package static let defaultMemoryBytes = 256 << 20
    /// The interval at which postponed work is done.
    package static let retryInterval = Duration.seconds(1)

    package let eventLog: EventLog
    /// The bounds of dead letters; nil keeps none.
    let deadLetters: DeadLetters.Bounds?
    /// The maximum size of the events of all namespaces in memory, in bytes.
    let maxMemoryBytes: Int
    let time: any TimeSource
    let log: Log
    /// The last session of each namespace, from this process or an earlier one, to keep for the next process.
    let sessions: Locked<[ExactText: SessionRecord]>
    /// The warnings of the opening for an operator, one sentence each.
    let warnings: [String]

    var partitions: [Partition] = []
    /// Whether the slot's file contains the current sessions.
    private var areSessionsStored = true
    /// The service's file of dead letters; nil until it is needed.
    var letterStore: DeadLetterStore?
    /// Dropped events that wait because another process writes to the file of dead letters.
    var waitingLetters: [DeadLetter] = []
    package private(set) var condition = StoreCondition()
    /// Whether the store is closing: no file is opened, and nothing is taken over.
    package var isClosing = false
    /// Whether another slot was taken, in a directory in which dead processes may have left events.
    package var isTakeOverDue = false
    var takeOver = TakeOverState()
    /// The number of events that did not fit into a file, where a kill would have lost them.
    package private(set) var memoryOnlyCount = 0
    /// The number of damaged events that were found before the first namespace, which counts them.
    private var unnamedDamage = 0
    private var changes: [(namespace: String, change: Change)] = []

    /// Takes a slot; if that fails, events are kept in memory until one can be taken.
    /// - Parameters:
    ///   - directory: The service's directory; nil for memory only.
    ///   - deadLetters: The setting for events that are never sent.
    ///   - maxMemoryBytes: The maximum size of events in memory, in bytes.
    ///   - time: The clock.
    ///   - log: The receiver of log lines.
    package init(
        directory: StateDirectory?, deadLetters: DeadLetters, maxMemoryBytes: Int = EventStore.defaultMemoryBytes,
        time: any TimeSource, log: Log
    ) {
        (self.deadLetters, self.time, self.log) = (deadLetters.bounds, time, log)
        self.maxMemoryBytes = min(max(maxMemoryBytes, 1_000_000), 1 << 40)
        let eventLog = EventLog(directory: directory, maxMemoryBytes: self.maxMemoryBytes)
        self.eventLog = eventLog
        var warnings: [String] = []
        var opened: StateDirectory.Opened?
        do throws(EventStoreError) {
            // This runs on the thread of the service that creates the setup.
            opened = try FileSizeSignal.blocked { () throws(EventStoreError) in try eventLog.open() }
            warnings = opened?.warnings ?? []
            if let failure = eventLog.pool.growthFailure { throw failure }
        } catch {
            warnings.append(Self.sentence(of: error))
            _ = condition.attempts(at: time.uptime)
            _ = condition.failed(Self.sentence(of: error), at: time.uptime, time.wallTime)
        }
        (sessions, self.warnings) = (Locked(opened?.sessions ?? [:]), warnings)
        for warning in warnings { log.log(condition.failure != nil ? .error : .warning, warning) }
    }

    private static func sentence(of error: EventStoreError) -> String {
        "events are kept in memory only, where a kill would lose them: \(error.reason)"
    }

    /// The number of namespaces.
    package var count: Int { partitions.count }

    /// The number of this process's slot; nil while it has none.
    package var slot: Int? { eventLog.slot?.number }

    /// Returns the changes since the last call, the oldest first.
    package func takeChanges() -> [(namespace: String, change: Change)] {
        defer { changes = [] }
        return changes
    }

    func note(_ change: Change, of namespace: String) {
        changes.append((namespace, change))
    }

    /// Adds a namespace.
    /// - Parameters:
    ///   - namespace: The namespace.
    ///   - index: The next index, or the index of a removed namespace.
    ///   - recipient: The receiver of the payloads of dropped events.
    package func addNamespace(_ namespace: String, at index: Int, _ recipient: DropRecipient? = nil) {
        let partition = Partition(namespace: namespace, recipient: recipient)
        if index == partitions.count { partitions.append(partition) } else { partitions[index] = partition }
        lose(unnamedDamage, of: namespace)
        unnamedDamage = 0
    }

    /// Removes a namespace that has no events.
    func removeNamespace(_ index: Int) {
        partitions[index] = Partition(namespace: Partition.none)
    }

    /// Changes the receiver of the payloads of a namespace's dropped events.
    func setRecipient(_ recipient: DropRecipient?, of index: Int) {
        partitions[index].recipient = recipient
    }

    /// Whether a namespace has no events.
    func isIdle(_ index: Int) -> Bool {
        partitions[index].queue.amount.events == 0 && partitions[index].lastLoaded == 0
    }

    // MARK: Accept

    /// Stores the events that threads have tracked.
    /// - Parameters:
    ///   - contents: The contents of the intake.
    ///   - isSynced: Whether to return only when the events survive a power failure.
    ///   - session: Returns a namespace's session by its index.
    /// - Returns: A failure if the events must be on the disk and are not.
    package func accept(
        _ contents: EventIntake.Contents, isSynced: Bool, session: (Int) -> SessionRecord?
    ) -> Result<Void, EventStoreError> {
        let before = memoryOnlyWaiting
        var strays: [RecordAddress] = []
        var events: [(namespace: Int, address: RecordAddress)] = []
        let damaged = eventLog.accept(contents.portions) { record, address in
            guard record.namespace < partitions.count else { return strays.append(address) }
            events.append((record.namespace, address))
        }
        var indexes: Set<Int> = []
        for (index, address) in events {
            indexes.insert(index)
            add(address, to: index)
        }
        // Last, because a segment is free as soon as all its records known to the store are done.
        leaveIfVanished()
        eventLog.leaveIfFull()
        eventLog.finish(strays)
        lose(damaged + strays.count, of: events.first.map { partitions[$0.namespace].namespace }, isOwn: true)
        if memoryOnlyWaiting > 0, eventLog.slot != nil {
            // The disk may have space again.
            if isSynced, eventLog.pool.retry() { eventLog.pool.grow(isPopulated: false) }
            if eventLog.pool.growthFailure == nil { moveToDisk() }
        }
        noteMemoryOnly(before)
        for index in indexes.sorted() {
            if let session = session(index) { note(session, of: index) }
            note(.stored, of: partitions[index].namespace)
        }
        enforceMemoryBound()
        eventLog.sealFull()
        eventLog.pool.prepare()
        return Result { () throws(EventStoreError) in if isSynced { try sync() } }
    }

    /// Adds an event to a namespace's queue.
    func add(_ address: RecordAddress, to index: Int, isLeft: Bool = false) {
        partitions[index].queue.append(address, isLeft: isLeft)
        if !eventLog.isDurable(address) { partitions[index].inMemory += address.amount }
    }

    private func sync() throws(EventStoreError) {
        guard eventLog.slot != nil, memoryOnlyWaiting == 0 else {
            throw eventLog.pool.growthFailure
                ?? EventStoreError(.unavailable, reason: condition.failure?.text ?? "there is no state directory")
        }
        try eventLog.sync()
    }

    // MARK: Memory only

    /// The number of events that are in memory only, although there is a directory.
    package var memoryOnlyWaiting: Int {
        eventLog.directory == nil ? 0 : partitions.reduce(0) { $0 + $1.inMemory.events }
    }

    /// Copies events that are in memory only to files, while there is space.
    private func moveToDisk() {
        for index in partitions.indices where partitions[index].inMemory.events > 0 {
            var ids: [Int64] = []
            partitions[index].queue.forEach { id, address in
                if !eventLog.isDurable(address) { ids.append(id) }
                return ids.count < partitions[index].inMemory.events
            }
            for id in ids {
                let address = partitions[index].queue[id]
                var moved: RecordAddress?
                eventLog.read([address]) { _, reading in
                    switch reading {
                    case .record(let record): moved = eventLog.append(record)
                    // The record is from a file that was damaged before it was removed from its path.
                    case .damaged: moved = RecordAddress.none
                    case .failed: break
                    }
                }
                guard let moved else { return }
                if moved == .none {
                    lose([id], of: index)
                } else {
                    setAddress(moved, of: id, index)
                    eventLog.finish([address])
                }
            }
        }
    }

    /// Changes the address of an event; ``RecordAddress/none`` if it is done.
    private func setAddress(_ address: RecordAddress, of id: Int64, _ index: Int) {
        let former = partitions[index].queue[id]
        if !eventLog.isDurable(former) { partitions[index].inMemory -= former.amount }
        if !eventLog.isDurable(address) { partitions[index].inMemory += address.amount }
        partitions[index].queue.setAddress(address, of: id)
    }

    /// Whether no file can be filled and none can be created.
    private var lacksFile: Bool { eventLog.pool.growthFailure != nil && eventLog.pool.current == nil }

    /// The reason why events are in memory only despite a directory; nil if none are and files can be created.
    package var failure: StoreCondition.Failure? {
        memoryOnlyWaiting > 0 || eventLog.slot == nil || lacksFile ? condition.failure : nil
    }

    /// Counts events that did not fit, and notes the reason.
    private func noteMemoryOnly(_ before: Int) {
        let waiting = memoryOnlyWaiting
        guard waiting > 0 else { return }
        memoryOnlyCount += max(0, waiting - before)
        guard eventLog.slot != nil else { return }
        let reason =
            eventLog.pool.growthFailure?.reason
            ?? "they came faster than files are made, or are larger than one has room for"
        fail("events are kept in memory only, where a kill would lose them: \(reason)")
    }

    /// Notes that events cannot be stored: logs it at once, and then once a minute.
    func fail(_ sentence: String) {
        if condition.failed(sentence, at: time.uptime, time.wallTime) { log.error(sentence) }
    }

    // MARK: Maintenance

    /// Whether there is work to do in ``retryInterval``.
    package var hasPostponedWork: Bool {
        !isClosing
            && (!areSessionsStored || (memoryOnlyWaiting > 0 || lacksFile) && eventLog.slot != nil
                || eventLog.unmarkedCount > 0
                || !eventLog.sparseFiles().isEmpty || !waitingLetters.isEmpty || eventLog.failure != nil)
    }

    /// Does the postponed work that ``hasPostponedWork`` reports.
    package func doPostponedWork() {
        guard !isClosing else { return }
        storeSessions()
        keepWaitingLetters()
        eventLog.markAgain()
        compact()
        if let failure = eventLog.failure {
            eventLog.failure = nil
            fail("a file of the event log could not be removed, renamed or made smaller: \(failure.reason)")
        } else if eventLog.unmarkedCount > 0 {
            fail("\(eventLog.unmarkedCount) sent events cannot be marked as sent, and a kill would send them again")
        }
        guard eventLog.slot != nil, memoryOnlyWaiting > 0 || lacksFile else { return }
        if eventLog.pool.retry() { eventLog.pool.grow(isPopulated: true) }
        moveToDisk()
    }

    private func compact() {
        let files = Set(eventLog.sparseFiles().map(\.index))
        guard !files.isEmpty else { return }
        var events: [(index: Int, id: Int64, address: RecordAddress)] = []
        for index in partitions.indices {
            partitions[index].queue.forEach { id, address in
                if files.contains(address.file) { events.append((index, id, address)) }
                return true
            }
        }
        // In the order of their files, so that they are read in order.
        events.sort { ($0.address.file, $0.address.offset) < ($1.address.file, $1.address.offset) }
        guard let addresses = eventLog.compact(events.map(\.address)) else { return }
        for (event, address) in zip(events, addresses) {
            partitions[event.index].queue.setAddress(address, of: event.id)
            guard address == .none else { continue }
            // The others stay in memory, or on the disk.
            if eventLog.slot == nil { partitions[event.index].inMemory -= event.address.amount }
            lose(1, of: partitions[event.index].namespace, isOwn: true)
        }
    }

    /// Maintains the store, every 30 s.
    package func maintain() {
        guard !isClosing else { return }
        leaveIfVanished()
        reopen()
        for file in eventLog.pool.takeUpcoming() { eventLog.discard(file) }
        if eventLog.pool.retry() { eventLog.pool.grow(isPopulated: false) }
        guard condition.failure != nil, eventLog.slot != nil, memoryOnlyWaiting == 0, eventLog.pool.growthFailure == nil
        else {
            return
        }
        if condition.recovered() {
            log.info("the event store works again; \(memoryOnlyCount) events waited in memory only")
        }
    }

    /// Takes a slot if there is none and another attempt is due.
    package func reopen() {
        guard eventLog.directory != nil, eventLog.slot == nil, !isClosing, condition.attempts(at: time.uptime) else {
            return
        }
        do throws(EventStoreError) {
            guard let opened = try eventLog.open() else { return }
            for warning in opened.warnings { log.warning(warning) }
            sessions.withLock { $0.merge(opened.sessions) { own, _ in own } }
            areSessionsStored = false
            isTakeOverDue = true
            moveToDisk()
        } catch {
            fail(Self.sentence(of: error))
        }
    }

    /// Takes another slot if files in use were removed or replaced.
    private func leaveIfVanished() {
        guard !isClosing, let path = eventLog.leaveIfVanished() else { return }
        log.error("\(path) was removed or replaced while it was in use; its events are moved to another file")
        for index in partitions.indices {
            var amount = EventAmount.zero
            partitions[index].queue.forEach { _, address in
                if !eventLog.isDurable(address) { amount += address.amount }
                return true
            }
            partitions[index].inMemory = amount
        }
        condition.retry()
        reopen()
    }

    // MARK: Sessions

    private func note(_ session: SessionRecord, of index: Int) {
        let name = ExactText(partitions[index].namespace)
        let former = sessions.withLock { $0.updateValue(session, forKey: name) }
        guard former != session else { return }
        areSessionsStored = false
        // A new session is stored at once, so that it is not begun twice.
        if former?.id != session.id { storeSessions() }
    }

    private func storeSessions() {
        guard !areSessionsStored, let slot = eventLog.slot else { return }
        do throws(FileError) {
            try SessionFile.write(sessions.withLock { $0 }, to: slot.file("sessions"))
        } catch {
            // They are written again after their next change.
            log.debug("the sessions could not be kept for a restart: \(error)")
        }
        areSessionsStored = true
    }

    // MARK: End

    /// Stores all events that it can, counts those in memory as lost, and closes the store for good.
    package func close() {
        // The caller sets it before its last events arrive.
        isClosing = false
        leaveIfVanished()
        if eventLog.slot != nil, memoryOnlyWaiting > 0 {
            if eventLog.pool.retry() { eventLog.pool.grow(isPopulated: false) }
            moveToDisk()
        }
        isClosing = true
        keepWaitingLetters()
        for index in partitions.indices {
            partitions[index].lastLoaded = 0
            drop(of: index, .notStored, "they were in memory only when the SDK was shut down") { _, address in
                eventLog.isDurable(address) ? .keep : .drop
            }
        }
        eventLog.markAgain()
        if eventLog.unmarkedCount > 0 {
            log.error("\(eventLog.unmarkedCount) sent events could not be marked as sent, and will be sent again")
        }
        storeSessions()
        eventLog.close()
        letterStore = nil
    }

    // MARK: Losses

    /// Counts damaged events.
    /// - Parameters:
    ///   - count: The number of events.
    ///   - neighbour: The namespace of the adjacent records, because a damaged record does not name its namespace.
    ///   - isOwn: Whether this process has already counted them.
    func lose(_ count: Int, of neighbour: String?, isOwn: Bool = false) {
        guard count > 0 else { return }
        guard let namespace = neighbour ?? partitions.lazy.map(\.namespace).first(where: { $0 != Partition.none })
        else {
            unnamedDamage += count
            return
        }
        if !isOwn { note(.found(count), of: namespace) }
        note(.lost(count, .damaged, detail: "their records in the event log are damaged"), of: namespace)
    }

    /// Removes events whose records are damaged.
    func lose(_ ids: [Int64], of index: Int) {
        remove(ids, of: index)
        lose(ids.count, of: partitions[index].namespace, isOwn: true)
    }

    /// Removes events that are done.
    package func remove(_ ids: [Int64], of index: Int) {
        let waiting = ids.filter { partitions[index].queue[$0] != .none }
        let addresses = waiting.map { partitions[index].queue[$0] }
        for id in waiting { setAddress(.none, of: id, index) }
        eventLog.finish(addresses)
    }
}
