/// Events are in memory until they are sent, and their records in the staging file, so that a kill loses none. They are
/// **spilled** into the store, all in one commit, if they are not sent soon or the staging file does not have them.
extension EventStorage {
    /// How often old events are looked for, and how soon a commit is tried again after a failed one at the earliest.
    package static let spillInterval = Duration.seconds(1)

    /// Takes events into memory.
    /// - Parameters:
    ///   - batch: The events.
    ///   - session: Returns a namespace's session by its index if it has changed.
    /// - Returns: Whether a session of their namespaces began.
    func keep(_ batch: EventBatch, session: (Int) -> SessionRecord?) -> Bool {
        var beginsSession = false
        for (index, amount) in batch.amounts.sorted(by: { $0.key < $1.key }) {
            partitions[index].amount += amount
            if let session = session(index) {
                beginsSession = beginsSession || session.id != partitions[index].session?.id
                (partitions[index].session, partitions[index].isSessionStored) = (session, false)
            }
            note(.stored, of: partitions[index].namespace)
        }
        memory.append(batch, keys: { partitions[$0].memoryKey }, isSynced: false)
        return beginsSession
    }

    /// Whether what is in memory is to be spilled at once, whatever its age: half of the memory is used, or there is no room for
    /// more records.
    var isSpillDue: Bool {
        disk != nil && time.uptime >= nextSpill
            && (memory.bytes > maxMemoryBytes / 2 || staging?.isShort ?? true)
    }

    /// Spills all events if one of them has waited for a second and is not being sent, and sessions that have changed.
    package func spillOld() {
        defer { spillMark = memory.lastID }
        guard disk != nil, !isClosing, time.uptime >= nextSpill else { return }
        let isDue = partitions.contains { partition in
            if !partition.isSessionStored { return true }
            let first = memory.firstID(of: partition.memoryKey, from: partition.lastLoaded + 1)
            return first.map { $0 <= spillMark } ?? false
        }
        if isDue { _ = spill() }
    }

    /// Whether events are in memory that may have to be spilled later.
    package var maySpill: Bool {
        disk != nil && !isClosing && (memory.bytes > 0 || partitions.contains { !$0.isSessionStored })
    }

    /// Moves all events in memory to the disk in one commit, those that are being sent too, with the sessions that have changed.
    /// - Parameter isSynced: Whether to return only when even a power failure cannot lose them.
    /// - Returns: A failure if they stay in memory.
    @discardableResult
    package func spill(isSynced: Bool = false) -> Result<Void, EventStoreError> {
        let result = spill(isSynced: isSynced, mayReplace: true)
        enforceMemoryBound()
        return result
    }

    private func spill(isSynced: Bool, mayReplace: Bool) -> Result<Void, EventStoreError> {
        // No reference to the disk is held here: one that is damaged has to be closed to be replaced.
        guard disk != nil else {
            return .failure(EventStoreError(.unavailable, reason: "events are kept in memory only"))
        }
        let start = time.uptime
        do throws(EventStoreError) {
            try moveToDisk(isSynced: isSynced)
        } catch {
            if mayReplace && error.code == .corrupt && replaceDamagedDisk() {
                return spill(isSynced: isSynced, mayReplace: false)
            }
            // What a disk has no room for may take long to find out.
            nextSpill = time.uptime + max(Self.spillInterval, (time.uptime - start) * 10)
            diskFailed("events are kept in memory until the store works again: \(error.reason)")
            return .failure(error)
        }
        // An event in a file that no process can find after a restart is not kept.
        if disk?.isInPlace == false, case .failure(let error) = replaceVanishedDisk() { return .failure(error) }
        guard condition.isFailing else { return .success(()) }
        if condition.recovered() { log.info("the event store works again") }
        salvageLeftovers()
        return .success(())
    }

    private func moveToDisk(isSynced: Bool) throws(EventStoreError) {
        let waiting = partitions.indices.filter { memory.amount(of: partitions[$0].memoryKey).events > 0 }
        let changed = partitions.indices.filter { partitions[$0].session != nil && !partitions[$0].isSessionStored }
        for index in Set(waiting + changed).sorted() where partitions[index].key == nil { try countOnDisk(index) }
        guard let disk, !waiting.isEmpty || !changed.isEmpty else { return }
        var sessions: [Int64: SessionRecord] = [:]
        for index in changed {
            if let key = partitions[index].key { sessions[key] = partitions[index].session }
        }
        let positions = held.portions.filter { $0.area === staging }.map(\.position)
        try disk.append(sessions: sessions, isSynced: isSynced, positions: positions) {
            (last) throws(EventStoreError) in
            for index in waiting { try add(memoryOf: index, to: disk, &last) }
        }
        for index in changed { partitions[index].isSessionStored = true }
        for index in waiting {
            followSpill(of: index, to: disk)
            memory.removeAll(of: partitions[index].memoryKey)
        }
        settled += held.removeAll()
    }

    private func add(
        memoryOf index: Int, to disk: SQLiteEventStore, _ last: inout [Int64: Int64]
    ) throws(EventStoreError) {
        let (key, memoryKey) = (partitions[index].key ?? SQLiteEventStore.unknownKey, partitions[index].memoryKey)
        var failure: EventStoreError?
        memory.forEach(of: memoryKey) { row, payload in
            do throws(EventStoreError) {
                try disk.insert(payload, of: key, time: row.time, isAnonymous: row.isAnonymous, &last)
            } catch {
                failure = error
            }
            return failure == nil
        }
        if let failure { throw failure }
    }

    /// Notes the ids that known events of a namespace have on disk.
    private func followSpill(of index: Int, to disk: SQLiteEventStore) {
        let partition = partitions[index]
        guard let key = partition.key, let last = disk.lastAddedID(of: key) else { return }
        var id = last - Int64(memory.amount(of: partition.memoryKey).events)
        var lastLoaded = partition.lastLoaded < Self.firstMemoryID ? partition.lastLoaded : id
        memory.forEach(of: partition.memoryKey) { row, _ in
            id += 1
            if row.id <= partition.lastLoaded { lastLoaded = id }
            if row.id <= partition.known.last || partition.known.others.contains(row.id) {
                partitions[index].spilled[row.id] = id
            }
            return true
        }
        partitions[index].lastLoaded = lastLoaded
    }

    /// The id that an event has now.
    func currentID(_ id: Int64, of index: Int) -> Int64 { partitions[index].spilled[id] ?? id }
}
