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
            for row in batch.rows {
                lanes[row.outbox].queued += 1
                touched.insert(row.outbox)
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
            scopedLog(lanes[number].outbox).error("the session could not be kept for a restart: \(error.reason)")
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
            // Said once for a disk that is full for hours.
            if !isStoreFailing { log.error("events are kept in memory until the store works again: \(error.reason)") }
            isStoreFailing = true
            overflow.append(batch, keys: lanes.map(\.overflowKey), isSynced: false)
            return .failure(error)
        }
        if isStoreFailing { leaveMemory() }
        if store is MemoryEventStore {
            return .failure(EventStoreError(code: .unavailable, reason: "events are kept in memory only"))
        }
        return .success(())
    }

    /// Ends the time of a failing store once all that was kept in memory is stored; until then each commit tries again.
    private func leaveMemory() {
        do throws(EventStoreError) {
            try storeOverflow()
        } catch {
            // There is room for a batch and not for all: what is in memory stays there.
            return
        }
        guard overflow.namespaces().isEmpty else { return }
        log.error("the event store works again")
        isStoreFailing = false
    }

    /// Goes on with a new file and what could be read of the damaged one.
    /// - Returns: Whether there is a new file.
    func replaceDamagedStore() -> Bool {
        guard let home, let damaged = store as? SQLiteEventStore else { return false }
        do throws(EventStoreError) {
            let (fresh, warning) = try home.directory.replace(home.slot, damaged.lock)
            log.error(warning)
            store = fresh
            storeGeneration += 1
            for number in lanes.indices {
                let key = try fresh.key(of: lanes[number].outbox.namespace)
                let left = try fresh.count(of: key) + overflow.count(of: lanes[number].overflowKey)
                lanes[number].outbox.countDropped(max(0, lanes[number].queued - left), .damaged)
                (lanes[number].key, lanes[number].queued, lanes[number].undeletable) = (key, left, [])
            }
            return true
        } catch {
            log.error("a damaged event store could not be replaced: \(error.reason)")
            return false
        }
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
            var lost = overflow.count(of: lane.overflowKey)
            if let memory = store as? MemoryEventStore, let key = lane.key { lost += memory.count(of: key) }
            guard lost > 0 else { continue }
            lane.outbox.countDropped(lost, .notStored)
            scopedLog(lane.outbox).error("\(lost) unsent events end with the process: they were in memory only")
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
        let count = try store.count(of: key)
        lanes[number].key = key
        lanes[number].queued += count
        outbox.countRecovered(count)
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
        if let most = settings.maxEventStoreSize, lanes[number].queued > most {
            drop(number, .storeFull) { (store, key) throws(EventStoreError) in
                try store.removeOldest(lanes[number].queued - most, of: key, after: lane.lastInFlight)
            }
        }
    }

    /// Removes events from the store and the overflow.
    /// - Returns: How many there were.
    @discardableResult
    func drop(
        _ number: Int, _ reason: DropReason,
        _ remove: (any EventStore, Int64) throws(EventStoreError) -> Int
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
                lanes[number].queued -= removed
                count += removed
            } catch {
                // A full disk has no room for a removal either; the memory's bound is kept all the same.
                log.error("the bounds of \(lane.outbox.namespace.excerpt) could not be kept: \(error.reason)")
            }
        }
        guard count > 0 else { return 0 }
        if lanes[number].queued == 0 { finishFlushes(number) }
        lane.outbox.countDropped(count, reason)
        lane.outbox.reporter?(reason, "\(count) unsent events were dropped (\(reason.rawValue))")
        return count
    }

    /// The oldest events of a lane, of the store first.
    func oldestEvents(_ number: Int, limit: Int) throws(EventStoreError) -> [StoredEvent] {
        removeUndeletable(number)
        let lane = lanes[number]
        var events: [StoredEvent] = []
        if let key = lane.key {
            events = try store.events(of: key, limit: limit + lane.undeletable.count)
            if !lane.undeletable.isEmpty { events.removeAll { lane.undeletable.contains($0.id) } }
        }
        if events.count < limit { events += overflow.events(of: lane.overflowKey, limit: limit - events.count) }
        return Array(events.prefix(limit))
    }

    /// Removes events that are done with. Where the store cannot, as on a full disk, they are remembered and not sent
    /// again by this process.
    func remove(_ events: [StoredEvent], _ number: Int) {
        let stored = events.map(\.id).filter { $0 < Self.firstOverflowID }
        _ = overflow.remove(events.map(\.id).filter { $0 >= Self.firstOverflowID })
        lanes[number].queued -= events.count
        do throws(EventStoreError) {
            _ = try store.remove(stored)
        } catch {
            lanes[number].undeletable.formUnion(stored)
            log.error("sent events could not be removed and may be sent again after a restart: \(error.reason)")
        }
    }

    private func removeUndeletable(_ number: Int) {
        guard !lanes[number].undeletable.isEmpty else { return }
        // A failure was logged when the events were sent; the next pass tries again.
        if (try? store.remove(Array(lanes[number].undeletable))) != nil { lanes[number].undeletable = [] }
    }

    nonisolated func scopedLog(_ outbox: Outbox) -> Log {
        log.scoped(to: outbox.namespace, level: outbox.settings?.tracker.logLevel ?? .off)
    }
}
