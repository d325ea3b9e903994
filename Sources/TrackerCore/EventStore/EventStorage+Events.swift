extension EventStorage {
    /// The unsent events of a namespace.
    package func amount(of index: Int) -> EventAmount { partitions[index].amount }

    /// The most bytes of unsent events of a namespace for which there is room: while the disk takes no events, the bytes that
    /// it has and an equal part of the free memory, which all namespaces share.
    package func availableBytes(for index: Int) -> Int {
        guard disk == nil || condition.failure != nil else { return .max }
        return partitions[index].amount.bytes + max(0, maxMemoryBytes - memory.bytes) / partitions.count
    }

    /// When the oldest event of a namespace was tracked, in milliseconds since 1970; nil without events.
    func oldestTime(of index: Int) -> Int64? {
        do throws(EventStoreError) {
            return try readOldestTime(of: index)
        } catch {
            let partition = partitions[index]
            log.error("the oldest event of \(partition.namespace.excerpt) cannot be read: \(error.reason)")
            return memory.oldestTime(of: partition.memoryKey)
        }
    }

    /// When the oldest event of a namespace was tracked, in milliseconds since 1970; nil without events.
    /// - Throws: If the store cannot be read.
    package func readOldestTime(of index: Int) throws(EventStoreError) -> Int64? {
        let partition = partitions[index]
        if mayBeOnDisk(index), let key = partition.key, let oldest = try disk?.oldestTime(of: key) { return oldest }
        return memory.oldestTime(of: partition.memoryKey)
    }

    /// Whether a namespace may have events on disk.
    func mayBeOnDisk(_ index: Int) -> Bool {
        let partition = partitions[index]
        return partition.uncounted != nil || hasUnremoved(index)
            || partition.amount.events > memory.amount(of: partition.memoryKey).events
    }

    /// Loads the oldest events of a namespace, those on disk first. Nothing but ``remove(_:of:)`` removes them until
    /// ``release(_:)``. Damaged rows are removed and counted.
    /// - Parameters:
    ///   - index: The namespace.
    ///   - limit: The most events and bytes; a first event is loaded however large it is.
    ///   - excluded: The ids of events to pass over.
    ///   - single: The id of the one event to load; nil for the oldest ones.
    /// - Returns: The events.
    package func load(
        _ index: Int, limit: EventAmount, except excluded: Set<Int64> = [], single: Int64? = nil
    ) -> Loaded {
        do throws(EventStoreError) {
            func find() throws(EventStoreError) -> StoredEvents {
                if let single { return try event(single, of: index) }
                return try oldestEvents(index, limit: limit, except: Set(excluded.map { currentID($0, of: index) }))
            }
            partitions[index].spilled = partitions[index].spilled.filter { excluded.contains($0.key) }
            var found = try find()
            // Damaged rows are gone by now, or are passed over from now on.
            while found.events.isEmpty, !found.damaged.isEmpty { found = try find() }
            let ids = found.events.map { currentID($0.id, of: index) }
            let lastOnDisk = ids.last { $0 < Self.firstMemoryID }
            countAhead(index, lastOnDisk, found.events.count)
            // The amount is kept, not asked for; if it was wrong, it is put right here.
            if found.events.isEmpty, excluded.isEmpty, single == nil {
                (partitions[index].amount, partitions[index].uncounted) = (.zero, nil)
            }
            partitions[index].lastLoaded = (
                lastOnDisk ?? 0, ids.last.flatMap { $0 < Self.firstMemoryID ? nil : $0 } ?? 0
            )
            partitions[index].isLoadOutdated = false
            partitions[index].known = (found.events.last?.id ?? 0, excluded)
            return .events(found.events, isLimited: found.isLimited)
        } catch {
            log.error("unsent events of \(partitions[index].namespace.excerpt) cannot be read: \(error.reason)")
            return error.code == .corrupt && replaceDamagedDisk() ? .replaced : .failed
        }
    }

    /// The event with an id, if the store has it.
    private func event(_ known: Int64, of index: Int) throws(EventStoreError) -> StoredEvents {
        let id = currentID(known, of: index)
        let (partition, limit) = (partitions[index], EventAmount(events: 1, bytes: .max))
        var found = StoredEvents()
        if id >= Self.firstMemoryID {
            found = memory.events(of: partition.memoryKey, from: id, limit: limit, except: [])
        } else if let disk, let key = partition.key, unremoved.run(at: id) == nil {
            // Without damaged rows behind it that cannot be removed: they would be found and counted at each load.
            found = try disk.rows(of: key, from: id, limit: limit, without: unremoved)
            if !found.damaged.isEmpty { removeDamaged(found.damaged, index, key, on: disk) }
        }
        found.events.removeAll { $0.id != id }
        // By the id by which the caller knows it.
        found.events = found.events.map {
            StoredEvent(id: known, isAnonymous: $0.isAnonymous, payload: $0.payload)
        }
        return found
    }

    private func oldestEvents(
        _ index: Int, limit: EventAmount, except excluded: Set<Int64>
    ) throws(EventStoreError) -> StoredEvents {
        removeUnremoved(index)
        let partition = partitions[index]
        var found = StoredEvents()
        if let disk, let key = partition.key, mayBeOnDisk(index) {
            found = try disk.rows(of: key, limit: limit, except: excluded, without: unremoved)
            if !found.damaged.isEmpty { removeDamaged(found.damaged, index, key, on: disk) }
        }
        if !found.isLimited {
            let left = limit - found.events.reduce(.zero) { $0 + EventAmount($1) }
            let more = memory.events(of: partition.memoryKey, from: .min, limit: left, except: excluded)
            found.events += more.events
            found.isLimited = more.isLimited
        }
        found.isLimited = found.isLimited || !found.damaged.isEmpty
        return found
    }

    private func removeDamaged(_ events: [StoredEvent], _ index: Int, _ key: Int64, on disk: SQLiteEventStore) {
        let namespace = partitions[index].namespace
        countAhead(index, events.last?.id, events.count)
        var lost = events.count
        do throws(EventStoreError) {
            lost = try disk.remove(events.map(\.id), of: key)
        } catch {
            log.error("damaged events of \(namespace.excerpt) could not be removed: \(error.reason)")
            // They are passed over, so that those behind them are sent.
            leaveUnremoved(events.map(\.id), of: index, on: disk)
        }
        // Their sizes are not known; the amount is put right when the partition is empty.
        partitions[index].amount -= EventAmount(events: lost, bytes: 0)
        note(.lost(lost, .damaged, detail: "their rows in the event store are damaged"), of: namespace)
        report(events, of: namespace, .damaged)
    }

    /// Whether the events that were loaded last are still those of the store, and not of one that was replaced since.
    package func isCurrent(_ index: Int) -> Bool { !partitions[index].isLoadOutdated }

    /// Lets all events of a namespace be removed again, because none is being sent.
    package func release(_ index: Int) {
        partitions[index].lastLoaded = (0, 0)
    }

    /// Removes loaded events that are done with. Those that the disk cannot remove, as a full one, are noted and not
    /// loaded again.
    package func remove(_ events: [StoredEvent], of index: Int) {
        let ids = events.map { currentID($0.id, of: index) }
        let onDisk = ids.filter { $0 < Self.firstMemoryID }
        let inMemory = ids.filter { $0 >= Self.firstMemoryID }
        _ = memory.remove(inMemory, of: partitions[index].memoryKey)
        partitions[index].amount -= events.reduce(.zero) { $0 + EventAmount($1) }
        guard let disk, let key = partitions[index].key, !onDisk.isEmpty else { return }
        do throws(EventStoreError) {
            _ = try disk.remove(onDisk, of: key)
        } catch {
            log.error("sent events could not be removed from the store yet: \(error.reason)")
            leaveUnremoved(onDisk, of: index, on: disk)
        }
    }

    /// Removes events of a namespace that are too old, at most once a second, and of the oldest those that are too many; never
    /// loaded ones.
    package func enforceBounds(_ index: Int, by settings: EmitterConfiguration) {
        let uptime = time.uptime
        if let age = settings.maxEventStoreAge,
            partitions[index].lastExpiry.map({ uptime - $0 >= .seconds(1) }) ?? true
        {
            partitions[index].lastExpiry = uptime
            drop(.trackedBefore(time.wallTime - age.components.seconds * 1000), of: index, .expired)
        }
        let maximum = EventAmount(
            events: settings.maxEventStoreSize ?? .max, bytes: settings.maxEventStoreBytes ?? .max)
        if !maximum.covers(partitions[index].amount) { drop(.beyond(maximum), of: index, .storeFull) }
    }

    /// Removes all events of a namespace but those that are loaded.
    /// - Returns: The number of events that were removed.
    func clear(_ index: Int) -> Int {
        drop(.trackedBefore(.max), of: index, .cleared)
    }

    /// The namespaces that have events.
    /// - Throws: If the store cannot be read.
    func namespaces() throws(EventStoreError) -> Set<String> {
        Set(try disk?.namespaces() ?? []).union(memory.namespaces())
    }
}
