extension EventPipeline {
    /// Moves what was tracked into the store, and lets the emitters know.
    func drain() {
        var contents = queue.take()
        guard !contents.batches.isEmpty else { return }
        openLanes()
        var touched: Set<Int> = []
        var result: Result<Void, EventStoreError> = .success(())
        let isSynced = !contents.waiters.isEmpty
        contents.batches.reverse()
        // Taken out one by one: a batch that the list held too would be copied when it is emptied.
        while var batch = contents.batches.popLast() {
            if case .failure(let error) = store(batch, isSynced: isSynced, mayReplace: true) {
                result = .failure(error)
            }
            var start = 0
            for row in batch.rows {
                lanes[row.outbox].amount += EventAmount(events: 1, bytes: row.end - start)
                touched.insert(row.outbox)
                start = row.end
            }
            batch.removeAll()
            queue.recycle(batch)
        }
        for waiter in contents.waiters { waiter.resume(returning: result) }
        for number in touched {
            saveSession(number)
            enforceBounds(number)
            perform(threshold(number), number)
        }
        if time.uptime - lastSweep >= Self.sweepInterval { sweep() }
        if slot == nil { reopenStore() }
    }

    /// Lets the events of all namespaces expire, those without a tracker too, by the age that it last had.
    func sweep() {
        lastSweep = time.uptime
        do throws(EventStoreError) {
            for namespace in try store.namespaces() { _ = outbox(for: namespace) }
        } catch {
            log.error("unsent events could not be looked through for old ones: \(error.reason)")
        }
        openLanes()
        for number in lanes.indices { enforceBounds(number) }
    }

    /// Keeps a lane's session for the next process.
    private func saveSession(_ number: Int) {
        guard let key = lanes[number].key, let session = lanes[number].outbox.takeSession() else { return }
        do throws(EventStoreError) {
            try store.save(session, of: key)
        } catch {
            log.scoped(to: lanes[number].outbox.namespace)
                .warning("the session could not be kept for a restart: \(error.reason)")
        }
    }

    /// Keeps a lane's last session in a store that has none yet.
    func saveKnownSession(_ number: Int) {
        guard let key = lanes[number].key, let session = lanes[number].outbox.savedSession else { return }
        do throws(EventStoreError) {
            try store.save(session, of: key)
        } catch {
            log.scoped(to: lanes[number].outbox.namespace)
                .warning("the session could not be kept for a restart: \(error.reason)")
        }
    }

    /// Stores a batch in one commit, or in memory where the store cannot take it.
    private func store(
        _ batch: EventBatch, isSynced: Bool, mayReplace: Bool
    ) -> Result<Void, EventStoreError> {
        do throws(EventStoreError) {
            try store.append(batch, keys: keys(), isSynced: isSynced)
        } catch {
            if mayReplace && error.code == .corrupt && replaceDamagedStore() {
                return store(batch, isSynced: isSynced, mayReplace: false)
            }
            storeFailed("events are kept in memory until the store works again: \(error.reason)")
            overflow.append(batch, keys: lanes.map(\.overflowKey), isSynced: false)
            return .failure(error)
        }
        var result = Result<Void, EventStoreError>.success(())
        // An event in a file that no process can find after a restart is not kept.
        if let file = store as? SQLiteEventStore, !file.isInPlace { result = replaceVanishedStore() }
        if isStoreFailing, slot != nil || home == nil { leaveMemory() }
        if store is MemoryEventStore {
            return .failure(EventStoreError(code: .unavailable, reason: "events are kept in memory only"))
        }
        return result
    }

    /// Leaves the fallback mode once all events kept in memory are stored; until then each commit tries again.
    func leaveMemory() {
        do throws(EventStoreError) {
            try storeOverflow()
        } catch {
            // There is room for a batch and not for all: what is in memory stays there.
            return
        }
        guard overflow.namespaces().isEmpty else { return }
        storeWorks()
        salvageLeftovers()
    }

    /// Moves what had to be kept in memory into the store.
    private func storeOverflow() throws(EventStoreError) {
        for number in lanes.indices where lanes[number].lastInFlight < Self.firstOverflowID {
            let batch = overflow.batch(of: lanes[number].overflowKey, outbox: number)
            guard !batch.isEmpty else { continue }
            try store.append(batch, keys: keys(), isSynced: false)
            overflow.removeAll(of: lanes[number].overflowKey)
        }
    }

    /// Counts as dropped what ends with the process: events in memory that the store could not take.
    func giveUpMemory() {
        do throws(EventStoreError) {
            if !(store is MemoryEventStore) { try storeOverflow() }
        } catch {
            log.error("events in memory could not be stored at the end: \(error.reason)")
        }
        for lane in lanes {
            var lost = overflow.amount(of: lane.overflowKey).events
            if let memory = store as? MemoryEventStore, let key = lane.key { lost += memory.amount(of: key).events }
            guard lost > 0 else { continue }
            lane.outbox.countDropped(lost, .notStored)
            reportLoss(lane.outbox, .notStored, lost, "they were in memory only when the SDK was shut down")
        }
    }

    /// Makes lanes for all outboxes that have none.
    func openLanes() {
        let missing = outboxes.withLock { $0.all[lanes.count...] }
        if missing.count > 1, let file = store as? SQLiteEventStore {
            do throws(EventStoreError) {
                try file.add(missing.map(\.namespace))
            } catch {
                // Each is asked for by itself below, and a failure told there.
            }
        }
        for outbox in missing {
            lanes.append(Lane(outbox: outbox, overflowKey: overflow.key(of: outbox.namespace)))
            // A tracker that was never attached has nothing to send by.
            lanes[outbox.number].schedule.pause()
            do throws(EventStoreError) {
                try readLane(outbox.number)
            } catch {
                log.error("the events of \(outbox.namespace.excerpt) cannot be read: \(error.reason)")
                // At once, and not with the next event: those of earlier runs wait.
                if error.code == .corrupt { _ = replaceDamagedStore() }
            }
        }
    }

    /// The store's numbers of all namespaces, asked for once more where it failed to give one.
    private func keys() throws(EventStoreError) -> [Int64] {
        var keys: [Int64] = []
        for number in lanes.indices {
            if let key = lanes[number].key { keys.append(key) } else { keys.append(try readLane(number)) }
        }
        return keys
    }

    /// Finds a namespace's place in the store, and what earlier processes left there.
    @discardableResult
    private func readLane(_ number: Int) throws(EventStoreError) -> Int64 {
        let outbox = lanes[number].outbox
        let key = try store.key(of: outbox.namespace)
        let amount = try store.amount(of: key)
        lanes[number].key = key
        lanes[number].amount += amount
        outbox.countRecovered(amount.events)
        return key
    }

    /// Drops what is too old and, of the oldest, what is too many; never what a request has on its way.
    func enforceBounds(_ number: Int) {
        let lane = lanes[number]
        let settings = lane.outbox.lastSettings?.emitter ?? .builtIn
        if let age = settings.maxEventStoreAge {
            let limit = time.wallTime - age.components.seconds * 1000
            drop(number, .expired) { (store, key) throws(EventStoreError) in
                try store.removeEvents(of: key, after: lane.lastInFlight, trackedBefore: limit)
            }
        }
        let most = EventAmount(
            events: settings.maxEventStoreSize ?? .max, bytes: settings.maxEventStoreBytes ?? .max)
        if !most.covers(lanes[number].amount) {
            drop(number, .storeFull) { (store, key) throws(EventStoreError) in
                try store.removeOldest(lanes[number].amount - most, of: key, after: lane.lastInFlight)
            }
        }
    }

    /// Removes events from the store and the overflow.
    /// - Returns: How many there were.
    @discardableResult
    func drop(
        _ number: Int, _ reason: DropReason,
        _ remove: (any EventStore, Int64) throws(EventStoreError) -> EventAmount
    ) -> Int {
        removeUndeletable(number)
        let lane = lanes[number]
        var count = 0
        // Where sent events still lie in the store, what it removes could be one of them, counted a second time.
        let key = lane.undeletable.isEmpty ? lane.key : nil
        let places: [(store: any EventStore, key: Int64?)] = [(store, key), (overflow, lane.overflowKey)]
        for case (let store, let key?) in places {
            do throws(EventStoreError) {
                let removed = try remove(store, key)
                lanes[number].amount -= removed
                count += removed.events
            } catch {
                // A full disk has no room for a removal either; the memory's bound is kept all the same.
                log.error("the bounds of \(lane.outbox.namespace.excerpt) could not be kept: \(error.reason)")
            }
        }
        guard count > 0 else { return 0 }
        if lanes[number].queued == 0 { finishFlushes(number) }
        lane.outbox.countDropped(count, reason)
        reportLoss(lane.outbox, reason, count, "unsent events gave way")
        return count
    }

    /// The oldest events of a lane, of the store first. Damaged rows are removed and counted.
    func oldestEvents(
        _ number: Int, limit: EventAmount
    ) throws(EventStoreError) -> (events: [StoredEvent], isLimited: Bool) {
        removeUndeletable(number)
        let lane = lanes[number]
        var found = StoredEvents()
        if let key = lane.key { found = try store.events(of: key, limit: limit, except: lane.undeletable) }
        if !found.damaged.isEmpty, let key = lane.key { dropDamaged(found.damaged, number, key) }
        if !found.isLimited {
            let left = limit - found.events.reduce(.zero) { $0 + EventAmount($1) }
            let more = overflow.events(of: lane.overflowKey, limit: left, except: [])
            found.events += more.events
            found.isLimited = more.isLimited
        }
        return (found.events, found.isLimited || !found.damaged.isEmpty)
    }

    private func dropDamaged(_ ids: [Int64], _ number: Int, _ key: Int64) {
        let outbox = lanes[number].outbox
        do throws(EventStoreError) {
            let removed = try store.remove(ids, of: key)
            // Their sizes are not known; what the bounds count is put right when the lane is empty.
            lanes[number].amount -= EventAmount(events: removed, bytes: 0)
            outbox.countDropped(removed, .damaged)
            reportLoss(outbox, .damaged, removed, "their rows in the event store are damaged")
        } catch {
            log.error("damaged events of \(outbox.namespace.excerpt) could not be removed: \(error.reason)")
        }
    }

    /// Removes events that are done with. Where the store cannot, as on a full disk, they are remembered and not sent
    /// again by this process.
    func remove(_ events: [StoredEvent], _ number: Int) {
        let stored = events.map(\.id).filter { $0 < Self.firstOverflowID }
        _ = overflow.remove(events.map(\.id).filter { $0 >= Self.firstOverflowID }, of: lanes[number].overflowKey)
        lanes[number].amount -= events.reduce(.zero) { $0 + EventAmount($1) }
        guard let key = lanes[number].key, !stored.isEmpty else { return }
        do throws(EventStoreError) {
            _ = try store.remove(stored, of: key)
        } catch {
            lanes[number].undeletable.formUnion(stored)
            log.error("sent events could not be removed and may be sent again after a restart: \(error.reason)")
        }
    }

    func removeUndeletable(_ number: Int) {
        guard !lanes[number].undeletable.isEmpty, let key = lanes[number].key else { return }
        // A failure was logged when the events were sent; the next pass tries again.
        if (try? store.remove(Array(lanes[number].undeletable), of: key)) != nil { lanes[number].undeletable = [] }
    }

    nonisolated func scopedLog(_ outbox: Outbox) -> Log {
        log.scoped(to: outbox.namespace, level: outbox.settings?.tracker.logLevel ?? .off)
    }
}
