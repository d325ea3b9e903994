/// Events are in memory until they are sent, and their records in the staging file, so that a kill loses none. They are
/// **spilled** into the store, all in one commit, if they are not sent soon or the staging file does not have them.
extension EventStorage {
    /// How often old events are looked for, and how soon a commit is tried again after a failed one at the earliest.
    package static let spillInterval = Duration.seconds(1)

    /// The longest time without an attempt after a commit that failed.
    private static let longestPause = Duration.seconds(30)

    /// Counts events that are new.
    /// - Parameters:
    ///   - batch: The events.
    ///   - session: Returns a namespace's session by its index if it has changed.
    /// - Returns: Whether a session of their namespaces began.
    func count(_ batch: EventBatch, session: (Int) -> SessionRecord?) -> Bool {
        var beginsSession = false
        for (index, amount) in batch.amounts.sorted(by: { $0.key < $1.key }) {
            partitions[index].amount += amount
            if let session = session(index) {
                beginsSession = beginsSession || session.id != partitions[index].session?.id
                (partitions[index].session, partitions[index].isSessionStored) = (session, false)
            }
            note(.stored, of: partitions[index].namespace)
        }
        return beginsSession
    }

    /// Takes events into memory.
    func keep(_ batch: EventBatch) {
        memory.append(batch, keys: { partitions[$0].memoryKey }, isSynced: false)
    }

    /// Whether so many bytes of events would take more than half of the memory's bound, beside those that are there.
    func isTooMuch(_ bytes: Int) -> Bool { memory.bytes + bytes > maxMemoryBytes / 2 }

    /// Spills all events if one of them has waited for a second and is not being sent, and stores sessions that have changed.
    package func spillOld() {
        defer { spillMark = memory.lastID }
        guard disk != nil, !isClosing, time.uptime >= nextSpill else { return }
        let isDue = partitions.contains { partition in
            let first = memory.firstID(of: partition.memoryKey, from: partition.lastLoaded.memory + 1)
            return first.map { $0 <= spillMark } ?? false
        }
        // While the store fails, what is in memory belongs on disk.
        if isDue || partitions.contains(where: { !$0.isSessionStored }) {
            _ = spill(sessionsOnly: !isDue && !condition.isFailing)
        }
    }

    /// Whether events are in memory that may have to be spilled later.
    package var maySpill: Bool {
        disk != nil && !isClosing && (memory.bytes > 0 || partitions.contains { !$0.isSessionStored })
    }

    /// Moves all events in memory to the disk in one commit, those that are being sent too, with the sessions that have changed.
    /// - Parameters:
    ///   - batches: Events that come after them and are not in memory, for which it has no room. They are afterwards if they
    ///     could not be moved.
    ///   - isSynced: Whether to return only when even a power failure cannot lose them.
    ///   - sessionsOnly: Whether events stay in memory.
    /// - Returns: A failure if they are in memory.
    @discardableResult
    package func spill(
        _ batches: [EventBatch] = [], isSynced: Bool = false, sessionsOnly: Bool = false
    ) -> Result<Void, EventStoreError> {
        // An event in a file that no process can find after a restart is not kept; what is in memory has its record until then.
        var result = disk?.isInPlace == false ? replaceVanishedDisk() : .success(())
        if case .success = result { result = spill(batches, isSynced, sessionsOnly, mayReplace: true) }
        if case .failure = result { for batch in batches { keep(batch) } }
        enforceMemoryBound()
        return result
    }

    private func spill(
        _ batches: [EventBatch], _ isSynced: Bool, _ sessionsOnly: Bool, mayReplace: Bool
    ) -> Result<Void, EventStoreError> {
        // No reference to the disk is held here: one that is damaged has to be closed to be replaced.
        guard disk != nil else { return .failure(noDisk) }
        let start = time.uptime
        do throws(EventStoreError) {
            try moveToDisk(batches, isSynced, sessionsOnly)
        } catch {
            if mayReplace && error.code == .corrupt && replaceDamagedDisk() {
                return spill(batches, isSynced, sessionsOnly, mayReplace: false)
            }
            pauseCommits(since: start)
            spillFailure = error
            diskFailed("events are kept in memory until the store works again: \(error.reason)")
            return .failure(error)
        }
        (nextSpill, nextCommit, spillFailure) = (.zero, .zero, nil)
        // It may have vanished meanwhile.
        if disk?.isInPlace == false, case .failure(let error) = replaceVanishedDisk() { return .failure(error) }
        guard condition.isFailing else { return .success(()) }
        if condition.recovered() { log.info("the event store works again") }
        salvageLeftovers()
        return .success(())
    }

    /// Lets a disk that fails rest: what it has no room for may take it long to find out.
    func pauseCommits(since start: Duration) {
        let pause = min((time.uptime - start) * 10, Self.longestPause)
        (nextSpill, nextCommit) = (time.uptime + max(Self.spillInterval, pause), time.uptime + pause)
    }

    private func moveToDisk(
        _ batches: [EventBatch], _ isSynced: Bool, _ sessionsOnly: Bool
    ) throws(EventStoreError) {
        let waiting = partitions.indices.filter { index in
            !sessionsOnly && memory.amount(of: partitions[index].memoryKey).events > 0
        }
        let changed = partitions.indices.filter { partitions[$0].session != nil && !partitions[$0].isSessionStored }
        let added = batches.flatMap(\.amounts.keys)
        for index in Set(waiting + changed + added).sorted() where partitions[index].key == nil {
            try countOnDisk(index)
        }
        guard let disk, !waiting.isEmpty || !changed.isEmpty || !added.isEmpty else { return }
        if sessionsOnly {
            try disk.append(sessions: sessions(of: changed), isSynced: isSynced, positions: []) { _ in }
            for index in changed { partitions[index].isSessionStored = true }
            return
        }
        var lastIDs: [Int: Int64] = [:]
        try disk.append(sessions: sessions(of: changed), isSynced: isSynced, positions: staging.positions) {
            (last) throws(EventStoreError) in
            for index in waiting {
                guard let key = partitions[index].key else { continue }
                try add(memoryOf: index, to: disk, key, &last)
                lastIDs[index] = last[key]
            }
            for batch in batches {
                try disk.append(batch, keys: { partitions[$0].key ?? SQLiteEventStore.unknownKey }, &last)
            }
        }
        for index in changed { partitions[index].isSessionStored = true }
        for index in waiting {
            if let last = lastIDs[index] { followSpill(of: index, to: last) }
            memory.removeAll(of: partitions[index].memoryKey)
        }
        staging.spilled()
    }

    private func sessions(of indexes: [Int]) -> [Int64: SessionRecord] {
        var sessions: [Int64: SessionRecord] = [:]
        for index in indexes {
            if let key = partitions[index].key { sessions[key] = partitions[index].session }
        }
        return sessions
    }

    private func add(
        memoryOf index: Int, to disk: SQLiteEventStore, _ key: Int64, _ last: inout [Int64: Int64]
    ) throws(EventStoreError) {
        var failure: EventStoreError?
        memory.forEach(of: partitions[index].memoryKey) { row, payload in
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
    /// - Parameters:
    ///   - index: The namespace.
    ///   - last: The id there of the last of its events in memory.
    private func followSpill(of index: Int, to last: Int64) {
        let partition = partitions[index]
        var id = last - Int64(memory.amount(of: partition.memoryKey).events)
        memory.forEach(of: partition.memoryKey) { row, _ in
            id += 1
            if row.id <= partition.lastLoaded.memory { partitions[index].lastLoaded.disk = id }
            if row.id <= partition.known.last || partition.known.others.contains(row.id) {
                partitions[index].spilled[row.id] = id
            }
            return true
        }
        partitions[index].lastLoaded.memory = 0
    }

    /// The id that an event has now.
    func currentID(_ id: Int64, of index: Int) -> Int64 { partitions[index].spilled[id] ?? id }
}
