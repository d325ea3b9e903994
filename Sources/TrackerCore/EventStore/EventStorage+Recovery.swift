extension EventStorage {
    /// Opens the store on disk if there is none and the time for another attempt has come.
    package func reopen() {
        guard let directory, slot == nil, !isClosing,
            condition.attempts(at: time.uptime, interval: StoreCondition.openInterval)
        else { return }
        do throws(EventStoreError) {
            let opened = try directory.open(for: ownNamespaces)
            for warning in opened.warnings { log.warning(warning) }
            try use(opened)
        } catch {
            diskFailed("events are kept in memory only until the store can be opened: \(error.reason)")
        }
    }

    /// Uses a new store after the directory of the old one vanished; the old one can still be read.
    /// - Returns: A failure if not all events are in the new store.
    func replaceVanishedDisk() -> Result<Void, EventStoreError> {
        let gone = EventStoreError(
            .unavailable, reason: "the event store in \(directory?.path ?? "") was removed or replaced")
        guard let directory, condition.attempts(at: time.uptime, interval: StoreCondition.replaceInterval) else {
            return .failure(gone)
        }
        log.error("\(gone.reason) while it was in use; its events are moved to a new one")
        do throws(EventStoreError) {
            let opened = try directory.open(for: ownNamespaces)
            for warning in opened.warnings { log.warning(warning) }
            try use(opened)
            log.info("the events are in the new store \(opened.store.path)")
            return condition.isFailing ? .failure(gone) : .success(())
        } catch {
            diskFailed("no new event store can be opened: \(error.reason)")
            return .failure(gone)
        }
    }

    private var ownNamespaces: Set<ExactText> { Set(partitions.map { ExactText($0.namespace) }) }

    /// Takes a store in place of the one so far, with all its events; those that the new one has no room for stay in memory.
    private func use(_ opened: StateDirectory.Opened) throws(EventStoreError) {
        let (fresh, old) = (opened.store, disk)
        // Of the slot that this process has, whose database alone vanished: its events are in memory too.
        let isOwnStaging = staging.area.map { opened.staging?.isSameFile(as: $0) ?? false } ?? false
        // All that can fail comes first: a store that is taken half way would file events under numbers of the one before.
        let noted = try fresh.current(opened.staged.unremoved)
        var (keys, found) = ([Int64](), [EventAmount]())
        for partition in partitions {
            let key = try fresh.key(of: partition.namespace)
            keys.append(key)
            found.append(try Self.amount(of: key, on: fresh, without: noted))
        }
        for index in partitions.indices {
            removeUnremoved(index, isDue: true)
            countAll(index)
        }
        (disk, slot) = (fresh, opened.slot)
        leaveStaging()
        staging.use(opened.staging, isOwnStaging ? [] : opened.staged.leftovers)
        unremoved = noted
        removeNoted()
        if old != nil { outdateLoads() }
        for index in partitions.indices {
            let namespace = partitions[index].namespace
            let expected = partitions[index].amount.events + found[index].events
            var moved = EventAmount.zero
            if let old, let key = partitions[index].key { moved = move(index, key, from: old, to: fresh) }
            (partitions[index].key, partitions[index].uncounted) = (keys[index], nil)
            partitions[index].amount = found[index] + moved + memory.amount(of: partitions[index].memoryKey)
            note(.found(found[index].events), of: namespace)
            let lost = expected - partitions[index].amount.events
            if lost > 0 { note(.lost(lost, .damaged, detail: "the former event store cannot be read"), of: namespace) }
            store(partitions[index].session, of: index, in: fresh)
        }
        condition.replaced()
        isAdoptionDue = true
        (nextSpill, nextCommit) = (.zero, .zero)
        // If memory is empty, the failure ends at once. What cannot be stored stays in memory, and is tried again. Synced, because
        // what was synced before must not be less durable here.
        let result = spill(isSynced: true)
        guard isOwnStaging else { return }
        if case .success = result {
            staging.area?.passOver(opened.staged.leftovers)
        } else {
            staging.use(staging.area, opened.staged.leftovers)
        }
    }

    /// Stores a session in a store that has none yet.
    private func store(_ session: SessionRecord?, of index: Int, in fresh: SQLiteEventStore) {
        guard let session, let key = partitions[index].key else { return }
        do throws(EventStoreError) {
            try fresh.save(session, of: key)
            partitions[index].isSessionStored = true
        } catch {
            log.scoped(to: partitions[index].namespace)
                .warning("the session could not be kept for a restart: \(error.reason)")
        }
    }

    /// Moves the events of a partition; those that the new store does not take go to memory.
    /// - Returns: What the new store took.
    private func move(
        _ index: Int, _ key: Int64, from old: SQLiteEventStore, to fresh: SQLiteEventStore
    ) -> EventAmount {
        let namespace = partitions[index].namespace
        var total = EventAmount.zero
        do throws(EventStoreError) {
            while true {
                let (moved, damaged) = try old.moveEvents(of: namespace, to: fresh, added: { total += $0 })
                if moved.events == 0 && damaged.isEmpty { return total }
            }
        } catch {
            log.error(
                "the events of \(namespace.excerpt) could not all be moved and are kept in memory: \(error.reason)")
            // Events that cannot even be read are missing from the amount, and are counted as lost there.
            let everything = EventAmount(events: .max, bytes: .max)
            guard let rest = try? old.events(of: key, limit: everything, except: []) else { return total }
            var batch = EventBatch()
            for event in rest.events {
                event.payload.withUnsafeBytes {
                    batch.append($0, namespace: index, isAnonymous: event.isAnonymous, time: time.wallTime)
                }
            }
            memory.append(batch, keys: { partitions[$0].memoryKey }, isSynced: false)
            return total
        }
    }

    /// Replaces a damaged store by a new one with what can be read of it.
    /// - Returns: Whether there is a new store.
    func replaceDamagedDisk() -> Bool {
        let before = partitions.map { (isWhole: $0.key != nil && $0.uncounted == nil, events: $0.amount.events) }
        guard let directory, let slot, let fresh = replaceDisk(in: directory) else { return false }
        return count(directory.salvage(slot, into: fresh, own: ownSlot), before, fresh)
    }

    /// Puts an empty store in the place of a damaged one, which is closed when this returns and can be salvaged.
    private func replaceDisk(in directory: StateDirectory) -> SQLiteEventStore? {
        guard let damaged = disk else { return nil }
        do throws(EventStoreError) {
            let fresh = try directory.replace(damaged.path, damaged.lock)
            disk = fresh
            unremoved = UnremovedRows()
            noteUnremoved()
            outdateLoads()
            log.error("the event store \(fresh.path) is damaged and was replaced")
            return fresh
        } catch {
            diskFailed("a damaged event store could not be replaced: \(error.reason)")
            return nil
        }
    }

    /// Updates the amounts to match a store that took the place of a damaged one.
    /// - Parameters:
    ///   - reports: What was salvaged into it.
    ///   - before: The number of events that each partition had, and whether they were all.
    ///   - fresh: The store.
    /// - Returns: Whether the store could be read.
    private func count(
        _ reports: [(report: EventSalvage.Report?, sentence: String)], _ before: [(isWhole: Bool, events: Int)],
        _ fresh: SQLiteEventStore
    ) -> Bool {
        for (report, sentence) in reports { logSalvage(report, sentence) }
        // A file that could not be salvaged yet still has its events.
        let isPending =
            directory.map { directory in slot.map { !directory.leftovers(of: $0).isEmpty } ?? false } ?? false
        do throws(EventStoreError) {
            for index in partitions.indices {
                let namespace = partitions[index].namespace
                let key = try fresh.key(of: namespace)
                let left = try fresh.amount(of: key) + memory.amount(of: partitions[index].memoryKey)
                (partitions[index].key, partitions[index].amount) = (key, left)
                partitions[index].uncounted = nil
                let named = reports.reduce(0) { $0 + ($1.report?.lost[exactly: namespace] ?? 0) }
                let known = index < before.count ? before[index] : (isWhole: false, events: 0)
                let lost = !known.isWhole ? named : isPending ? 0 : max(0, known.events - left.events)
                // The sum of all outcomes stays the number of all events that were counted.
                note(.found(left.events + lost - known.events), of: namespace)
                if lost > 0 { note(.lost(lost, .damaged, detail: "the event store was damaged"), of: namespace) }
            }
            return true
        } catch {
            diskFailed("the new event store cannot be read: \(error.reason)")
            return false
        }
    }

    /// Ids of a store that was replaced mean nothing to the new one. Those of events in memory are the same as before.
    private func outdateLoads() {
        for index in partitions.indices {
            let partition = partitions[index]
            guard
                partition.lastLoaded.disk > 0 || !partition.spilled.isEmpty
                    || partition.known.others.contains(where: { $0 < Self.firstMemoryID })
            else { continue }
            (partitions[index].isLoadOutdated, partitions[index].spilled) = (true, [:])
        }
    }

    /// Salvages what is left of damaged files of the own slot.
    package func salvageLeftovers() {
        guard let directory, let slot, let disk else { return }
        for (report, sentence) in directory.salvage(slot, into: disk, own: ownSlot) {
            logSalvage(report, sentence)
            guard let report else { continue }
            for (namespace, saved) in report.saved { adopt(saved, of: namespace.text) }
            loseDamaged(report)
        }
    }

    /// Notes the events that a salvage found damaged and that no partition had counted.
    func loseDamaged(_ report: EventSalvage.Report) {
        for (namespace, lost) in report.lost { loseDamaged(lost, of: namespace.text) }
    }

    func loseDamaged(_ count: Int, of namespace: String) {
        note(.found(count), of: namespace)
        note(.lost(count, .damaged, detail: "their rows in the event store are damaged"), of: namespace)
    }

    /// Notes damaged rows that are gone and that no partition had counted.
    func loseDamaged(_ events: [StoredEvent], of namespace: String) {
        guard !events.isEmpty else { return }
        loseDamaged(events.count, of: namespace)
        report(events, of: namespace, .damaged)
    }

    /// Logs what became of a damaged file: a loss is an error, and a file that is to be tried again has a line a minute. A file
    /// that is given up counts as one damaged event, because their number is not known.
    func logSalvage(_ report: EventSalvage.Report?, _ sentence: String) {
        guard let report else {
            if salvageLines.admit(sentence, count: 1, at: time.uptime) != nil { log.error(sentence) }
            return
        }
        log.log(report.isComplete ? .info : .error, sentence)
        if report.isGivenUp { loseStaged(1, of: nil, detail: "a damaged event store could not be salvaged") }
    }

    /// Gives unused pages of the disk back to the file system, if there are many.
    /// - Returns: Whether there is more to give back; each call takes some milliseconds.
    func shrinkStep() -> Bool {
        do throws(EventStoreError) {
            guard let disk, !isClosing else { return false }
            return try disk.shrinkStep()
        } catch {
            log.debug("the event store could not be made smaller: \(error.reason)")
            return false
        }
    }
}
