/// The unsent events of a process: on disk, and in memory while there is no disk that takes them.
///
/// It belongs to one thread at a time and may block. A namespace is known by its index, in the order in which the namespaces
/// were added. What becomes of events without the caller's doing is queued as a ``Change``, to be taken by ``takeChanges()``
/// after each call.
package final class EventStorage {
    /// What became of a namespace's events.
    package enum Change: Equatable {
        /// Events were stored.
        case stored
        /// Events of earlier processes were found; below zero if there are fewer than were counted.
        case found(Int)
        /// Events of other processes, or of a damaged file, were moved here.
        case adopted(Int)
        /// Events were removed and will not be sent.
        case lost(Int, DropReason, detail: String)
    }

    /// What a load gives.
    package enum Loaded {
        /// The oldest events, and whether there are more, which the limit left out.
        case events([StoredEvent], isLimited: Bool)
        /// The events could not be read, and another store was put in the place of theirs.
        case replaced
        /// The events could not be read.
        case failed
    }

    /// A namespace's part of the storage.
    package struct Partition {
        package let namespace: String
        package let memoryKey: Int64
        /// Gets the payloads of dropped events.
        fileprivate(set) var recipient: DropRecipient?
        /// The disk's number of the namespace; nil while there is no disk or it has failed to give one.
        package var key: Int64?
        /// The events on disk and in memory, without those that are not counted yet.
        package var amount = EventAmount.zero
        /// The ids of events on disk that are not counted yet; nil for none.
        package var uncounted: ClosedRange<Int64>?
        /// The last of the events that were loaded and not released yet; 0 for none.
        var lastLoaded: Int64 = 0
        /// Whether the loaded events are those of a store that was replaced since.
        var isLoadOutdated = false
        /// Events that were sent and that the disk could not remove.
        package var undeletable: Set<Int64> = []
        /// When old events were last looked for.
        var lastExpiry: Duration?
        /// The session as it is to outlive the process.
        var session: SessionRecord?
        var isSessionStored = true
    }

    /// Ids of events in memory are above all of the disk's, so that an id shows which of the two holds the event.
    static let firstMemoryID: Int64 = 1 << 62

    /// The built-in bound of events in memory, in bytes.
    package static let defaultMemoryBytes = 256 << 20

    /// The service's directory; nil for memory only.
    let directory: StateDirectory?
    /// The bounds of dead letters; nil keeps none.
    let deadLetters: DeadLetters.Bounds?
    /// The most bytes of the events of all namespaces in memory.
    let maxMemoryBytes: Int
    let time: any TimeSource
    let log: Log
    /// The sessions that earlier processes left.
    let savedSessions: [ExactText: SessionRecord]
    /// What an operator should know of the opening, a sentence each.
    let warnings: [String]

    package let memory = MemoryEventStore(firstID: firstMemoryID)
    /// The store in this process's slot; nil while there is none.
    package var disk: SQLiteEventStore?
    /// The slot that is this process's; nil while it has none.
    package var slot: Int?
    package var condition = StoreCondition()
    package var partitions: [Partition] = []
    /// Whether no store is opened and nothing is taken over any more.
    package var isClosing = false
    /// Whether another store was opened since, in a directory in which dead processes may have left events.
    package var isAdoptionDue = false
    /// How many events are counted at a time.
    package var rowsPerCount = 10_000
    /// Limits the lines on files that cannot be salvaged.
    var salvageLines = LogThrottle()
    var adoption = AdoptionState()
    /// The file in which events wait for the disk; nil if there is none.
    var staging: StagingArea? {
        didSet { staging?.setLimit(bytes: stagingLimit) }
    }
    /// How many bytes the file may have. To set it lets a file try again that could not grow.
    var stagingLimit = EmitterConfiguration.builtIn.maxEventStoreBytes ?? .max {
        didSet { staging?.setLimit(bytes: stagingLimit) }
    }
    /// Damaged events that were found before there was a namespace.
    var unattributedLosses: [(count: Int, detail: String)] = []
    /// When it was last replaced because it was gone.
    var stagingReplaced: Duration?
    /// What a dead process left in it and the disk does not have yet.
    package var leftovers: [StagingFile.Leftover] = []
    var held = HeldRecords()
    /// Rows of events that are done with, which the disk could not remove.
    package var unremoved = UnremovedRows()
    /// How often events had left memory when the held records were looked through.
    var seenRemovals = 0
    /// Whether new records must not follow those that are held.
    var needsFreshSegments = false
    /// Records of the staging area that are of no use any more.
    var settled: [EventQueue.Portion] = []
    private var changes: [(namespace: String, change: Change)] = []

    /// Opens the store on disk; if that fails, events are kept in memory until it can be opened.
    /// - Parameters:
    ///   - directory: The service's directory; nil for memory only.
    ///   - namespaces: The namespaces that the service starts with; see ``StateDirectory/open(for:)``.
    ///   - deadLetters: What is kept of events that are never sent.
    ///   - maxMemoryBytes: The most bytes of events in memory.
    ///   - time: The clock.
    ///   - log: Takes the log's lines.
    package init(
        directory: StateDirectory?, namespaces: Set<ExactText>?, deadLetters: DeadLetters,
        maxMemoryBytes: Int = EventStorage.defaultMemoryBytes, time: any TimeSource, log: Log
    ) {
        (self.directory, self.deadLetters, self.time, self.log) = (directory, deadLetters.bounds, time, log)
        self.maxMemoryBytes = min(max(maxMemoryBytes, 1_000_000), 1 << 40)
        var warnings: [String] = []
        var opened: StateDirectory.Opened?
        do throws(EventStoreError) {
            // On the thread of the service that creates the setup.
            opened = try FileSizeSignal.blocked { () throws(EventStoreError) in try directory?.open(for: namespaces) }
            warnings += opened?.warnings ?? []
        } catch {
            let warning = "events are kept in memory only until the store can be opened: \(error.reason)"
            warnings.append(warning)
            _ = condition.attempts(at: time.uptime, interval: StoreCondition.openInterval)
            _ = condition.failed(warning, at: time.uptime, time.wallTime)
        }
        var sessions: [ExactText: SessionRecord] = [:]
        for (namespace, record) in opened?.sessions ?? [:] {
            sessions[namespace] = record
            if record == nil {
                warnings.append("the session of \(namespace.text.excerpt) cannot be read; a new user begins")
            }
        }
        savedSessions = sessions
        (disk, slot) = (opened?.store, opened?.slot)
        (staging, leftovers) = (opened?.staging, opened?.staged.leftovers ?? [])
        staging?.setLimit(bytes: stagingLimit)
        self.warnings = warnings
        for warning in warnings { log.log(condition.isFailing ? .error : .warning, warning) }
        if let opened { takeOver(opened.staged.unremoved) }
    }

    /// The number of namespaces.
    package var count: Int { partitions.count }

    /// Whether there are events that are not counted yet.
    var isCounting: Bool { partitions.contains { $0.uncounted != nil } }

    /// Takes the changes that were not taken yet, the oldest first.
    package func takeChanges() -> [(namespace: String, change: Change)] {
        defer { changes = [] }
        return changes
    }

    func note(_ change: Change, of namespace: String) {
        changes.append((namespace, change))
    }

    /// Adds namespaces, and finds what earlier processes left of them.
    /// - Parameters:
    ///   - namespaces: The namespaces.
    ///   - recipient: Returns what gets the payloads of dropped events, by a namespace's index.
    package func add(_ namespaces: [String], recipient: (Int) -> DropRecipient?) {
        if namespaces.count > 1 {
            do throws(EventStoreError) {
                try disk?.add(namespaces)
            } catch {
                // Each is added by itself below, and a failure logged there.
            }
        }
        for namespace in namespaces {
            let index = partitions.count
            partitions.append(
                Partition(
                    namespace: namespace, memoryKey: memory.key(of: namespace), recipient: recipient(index),
                    session: savedSessions[exactly: namespace]))
            do throws(EventStoreError) {
                try countOnDisk(index)
            } catch {
                log.error("the events of \(namespace.excerpt) cannot be read: \(error.reason)")
                // At once, and not with the next event: those of earlier runs wait.
                if error.code == .corrupt { _ = replaceDamagedDisk() }
            }
        }
        let losses = unattributedLosses
        unattributedLosses = []
        for loss in losses { loseStaged(loss.count, of: nil, detail: loss.detail) }
    }

    /// Changes what gets the payloads of a namespace's dropped events.
    func setRecipient(_ recipient: DropRecipient?, of index: Int) {
        partitions[index].recipient = recipient
    }

    /// Whether a namespace has no events, as far as all of them can be counted.
    func isIdle(_ index: Int) -> Bool {
        let partition = partitions[index]
        return partition.amount.events == 0 && partition.uncounted == nil && partition.undeletable.isEmpty
            && partition.lastLoaded == 0 && (directory == nil || partition.key != nil)
    }

    /// Stores events in one commit, together with the sessions of their namespaces; in memory if the disk does not take them.
    /// - Parameters:
    ///   - batch: The events.
    ///   - portions: The records of the staging area that they come from; see ``release(to:)``.
    ///   - isSynced: Whether to return only when even a power failure cannot lose them.
    ///   - session: Returns a namespace's session by its index if it has changed.
    /// - Returns: A failure if the events are not on disk.
    package func append(
        _ batch: EventBatch, from portions: [EventQueue.Portion] = [], isSynced: Bool,
        session: (Int) -> SessionRecord?
    ) -> Result<Void, EventStoreError> {
        let amounts = batch.amounts
        let indexes = amounts.keys.sorted()
        for index in indexes {
            if let session = session(index) {
                (partitions[index].session, partitions[index].isSessionStored) = (session, false)
            }
        }
        let result = store(batch, amounts, portions, isSynced: isSynced, mayReplace: true)
        for index in indexes { note(.stored, of: partitions[index].namespace) }
        return result
    }

    private func store(
        _ batch: EventBatch, _ amounts: [Int: EventAmount], _ portions: [EventQueue.Portion], isSynced: Bool,
        mayReplace: Bool
    ) -> Result<Void, EventStoreError> {
        // No reference to the disk is held here: one that is damaged has to be closed to be replaced.
        guard disk != nil else {
            keep(batch, amounts, portions)
            return .failure(EventStoreError(.unavailable, reason: "events are kept in memory only"))
        }
        do throws(EventStoreError) {
            // The position of these records would pass over earlier ones of their segment, whose events are in memory.
            if followsHeld(portions) { try storeMemory() }
            if followsHeld(portions) {
                // Not the last ones: while the disk fails, each commit would take another.
                needsFreshSegments = (staging?.counts.free ?? 0) > StagingFile.segmentCount / 2
                keep(batch, amounts, portions)
                return .failure(EventStoreError(.unavailable, reason: "earlier events are kept in memory only"))
            }
            let free = portions.filter { !held.precede($0) }
            try appendToDisk(batch, of: Array(amounts.keys), from: free, isSynced: isSynced)
        } catch {
            if mayReplace && error.code == .corrupt && replaceDamagedDisk() {
                return store(batch, amounts, portions, isSynced: isSynced, mayReplace: false)
            }
            diskFailed("events are kept in memory until the store works again: \(error.reason)")
            keep(batch, amounts, portions)
            return .failure(error)
        }
        settle(portions)
        for (index, amount) in amounts { partitions[index].amount += amount }
        // An event in a file that no process can find after a restart is not kept.
        if disk?.isInPlace == false, case .failure(let error) = replaceVanishedDisk() { return .failure(error) }
        if condition.isFailing { leaveMemory() }
        return .success(())
    }

    private func keep(_ batch: EventBatch, _ amounts: [Int: EventAmount], _ portions: [EventQueue.Portion]) {
        guard !batch.isEmpty else { return settle(portions) }
        let first = memory.lastID + 1
        memory.append(batch, keys: { partitions[$0].memoryKey }, isSynced: false)
        for (index, amount) in amounts { partitions[index].amount += amount }
        hold(portions, first...memory.lastID)
        enforceMemoryBound()
    }

    /// Stores events and the sessions of their namespaces on disk.
    private func appendToDisk(
        _ batch: EventBatch, of indexes: [Int], from portions: [EventQueue.Portion], isSynced: Bool
    ) throws(EventStoreError) {
        var sessions: [Int64: SessionRecord] = [:]
        for index in indexes {
            if partitions[index].key == nil { try countOnDisk(index) }
            if let key = partitions[index].key, !partitions[index].isSessionStored {
                sessions[key] = partitions[index].session
            }
        }
        try disk?.append(
            batch, keys: { partitions[$0].key ?? SQLiteEventStore.unknownKey }, sessions: sessions, isSynced: isSynced,
            positions: portions.filter { $0.area === staging }.map(\.position))
        for index in indexes { partitions[index].isSessionStored = true }
    }

    /// Leaves the fallback to memory once all events are on disk; until then each commit tries again.
    func leaveMemory() {
        do throws(EventStoreError) {
            try storeMemory()
        } catch {
            // There is room for a batch and not for all: what is in memory stays there.
            return
        }
        guard memory.namespaces().isEmpty else { return }
        if condition.recovered() { log.info("the event store works again") }
        salvageLeftovers()
    }

    /// Moves events from memory to the disk in one commit, except those of namespaces that are sending some of them. If their
    /// records are held, it moves all or nothing: a record is passed over once the disk has its event, and not before.
    private func storeMemory() throws(EventStoreError) {
        guard disk != nil else { return }
        let waiting = partitions.indices.filter { memory.amount(of: partitions[$0].memoryKey).events > 0 }
        let idle = waiting.filter { partitions[$0].lastLoaded < Self.firstMemoryID }
        guard !idle.isEmpty, held.isEmpty || idle == waiting else { return }
        var batch = EventBatch()
        for index in idle { memory.append(partitions[index].memoryKey, to: &batch, namespace: index) }
        try appendToDisk(batch, of: idle, from: held.portions, isSynced: false)
        for index in idle { memory.removeAll(of: partitions[index].memoryKey) }
        releaseHeld()
    }

    /// Stores what it can, counts what is in memory as lost, and closes the store; nothing is stored on disk after it.
    package func close() {
        isClosing = true
        // No event that is committed to a file which no process finds is kept.
        if disk?.isInPlace == false, partitions.contains(where: { $0.amount.events > 0 }) { _ = replaceVanishedDisk() }
        if staging?.vanishedPath != nil { leaveStaging() }
        for index in partitions.indices {
            countAll(index)
            removeUndeletable(index)
        }
        if staging == nil, !unremoved.isEmpty {
            log.error("sent events that the disk could not remove will be sent again: no file has a note of them")
        }
        do throws(EventStoreError) {
            try storeMemory()
        } catch {
            log.error("events in memory could not be stored at the end: \(error.reason)")
        }
        leaveHeld()
        for index in partitions.indices { dropMemory(of: index) }
        closeLeftovers()
        closeStaging()
        disk?.close()
        disk = nil
    }

    /// The disk could not be opened or written: logs it at once, and once a minute while it lasts.
    func diskFailed(_ sentence: String) {
        if condition.failed(sentence, at: time.uptime, time.wallTime) { log.error(sentence) }
    }
}
