/// The unsent events of a process: in memory, with a record in the staging file, and on disk those that are not sent soon.
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
        /// The last of the events on disk, and of those in memory, that were loaded and not released yet; 0 for none.
        var lastLoaded: (disk: Int64, memory: Int64) = (0, 0)
        /// Whether the loaded events are those of a store that was replaced since.
        var isLoadOutdated = false
        /// The events in memory that delivery knows by their ids: those up to one that were loaded last, and some others.
        var known: (last: Int64, others: Set<Int64>) = (0, [])
        /// The ids on disk of known events that were spilled, by their former ids in memory.
        var spilled: [Int64: Int64] = [:]
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
    /// The service's file of dead letters; nil until it is needed.
    var letterStore: DeadLetterStore?
    /// Whether the store in this process's slot has no letters of release 0.2.0 any more.
    var hasMovedLetters = false
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
    /// The file in which events wait for the disk.
    package var staging: Staging
    /// Damaged events that were found before there was a namespace.
    var unattributedLosses: [(count: Int, detail: String)] = []
    /// Rows of events that are done with, which the disk could not remove.
    package var unremoved = UnremovedRows()
    /// When the disk is asked again to remove them.
    var nextRemoval = Duration.zero
    /// The last event that was in memory when old events were last looked for.
    var spillMark: Int64 = 0
    /// When events are spilled by themselves again after a failure, and when a commit that is asked for is tried again.
    var (nextSpill, nextCommit) = (Duration.zero, Duration.zero)
    /// Why the last spill failed; nil if it did not.
    var spillFailure: EventStoreError?
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
        staging = Staging(opened?.staging, opened?.staged.leftovers ?? [])
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
            findOnDisk(index)
        }
        let losses = unattributedLosses
        unattributedLosses = []
        for loss in losses { loseStaged(loss.count, of: nil, detail: loss.detail) }
    }

    private func findOnDisk(_ index: Int) {
        do throws(EventStoreError) {
            try countOnDisk(index)
        } catch {
            log.error("the events of \(partitions[index].namespace.excerpt) cannot be read: \(error.reason)")
            // At once, and not with the next event: those of earlier runs wait.
            if error.code == .corrupt { _ = replaceDamagedDisk() }
        }
    }

    /// Uses the index of a namespace that has no events, for it again or for another one.
    func use(_ index: Int, for namespace: String, _ recipient: DropRecipient) {
        if partitions[index].namespace.isExactly(namespace) { return setRecipient(recipient, of: index) }
        memory.forget(partitions[index].namespace)
        partitions[index] = Partition(
            namespace: namespace, memoryKey: memory.key(of: namespace), recipient: recipient,
            session: savedSessions[exactly: namespace])
        findOnDisk(index)
    }

    /// Changes what gets the payloads of a namespace's dropped events.
    func setRecipient(_ recipient: DropRecipient?, of index: Int) {
        partitions[index].recipient = recipient
    }

    /// Whether a namespace has no events, as far as all of them can be counted.
    func isIdle(_ index: Int) -> Bool {
        let partition = partitions[index]
        return partition.amount.events == 0 && partition.uncounted == nil && !hasUnremoved(index)
            && partition.lastLoaded == (0, 0) && (directory == nil || partition.key != nil)
    }

    /// Stores what it can, counts what is in memory as lost, and closes the store; nothing is stored on disk after it.
    package func close() {
        isClosing = true
        // No event that is committed to a file which no process finds is kept.
        if disk?.isInPlace == false, partitions.contains(where: { $0.amount.events > 0 }) { _ = replaceVanishedDisk() }
        if staging.vanishedPath != nil { leaveStaging() }
        for index in partitions.indices {
            countAll(index)
            removeUnremoved(index, isDue: true)
        }
        if staging.area == nil, !unremoved.isEmpty {
            log.error("sent events that the disk could not remove will be sent again: no file has a note of them")
        }
        if disk != nil, case .failure(let error) = spill() {
            log.error("events in memory could not be stored at the end: \(error.reason)")
        }
        leaveHeld()
        for index in partitions.indices { dropMemory(of: index) }
        closeLeftovers()
        closeStaging()
        disk?.close()
        (disk, letterStore) = (nil, nil)
    }

    /// The disk could not be opened or written: logs it at once, and once a minute while it lasts.
    func diskFailed(_ sentence: String) {
        if condition.failed(sentence, at: time.uptime, time.wallTime) { log.error(sentence) }
    }
}
