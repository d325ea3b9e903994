extension EventPipeline {
    /// Opens the store if that failed before and enough time has passed.
    func reopenStore() {
        guard let home, slot == nil, !isClosed, time.uptime >= nextOpen else { return }
        nextOpen = time.uptime + Self.openInterval
        do throws(EventStoreError) {
            let opened = try home.open(for: ownNamespaces)
            for warning in opened.warnings { log.warning(warning) }
            try goOn(with: opened)
            if !isStoreFailing { storeWorks() }
        } catch {
            storeFailed("events are kept in memory only until the store can be opened: \(error.reason)")
        }
    }

    /// Goes on with a new store after the directory of the old one vanished; the old one can still be read.
    /// - Returns: Whether all events are in the new store.
    func replaceVanishedStore() -> Result<Void, EventStoreError> {
        let gone = EventStoreError(
            code: .unavailable, reason: "the event store in \(home?.path ?? "") was removed or replaced")
        guard let home, time.uptime >= nextOpen else { return .failure(gone) }
        nextOpen = time.uptime + .seconds(1)
        log.error("\(gone.reason) while it was in use; its events are moved to a new one")
        do throws(EventStoreError) {
            let opened = try home.open(for: ownNamespaces)
            try goOn(with: opened)
            nextOpen = .zero
            log.info("the events are in the new store \(opened.store.path)")
            return isStoreFailing ? .failure(gone) : .success(())
        } catch {
            storeFailed("no new event store can be opened: \(error.reason)")
            return .failure(gone)
        }
    }

    private var ownNamespaces: Set<ExactText> { Set(lanes.map { ExactText($0.outbox.namespace) }) }

    /// Takes a store in place of the one so far, with all its events; what the new one has no room for stays in memory.
    private func goOn(with opened: StateDirectory.Opened) throws(EventStoreError) {
        let (fresh, old) = (opened.store, store)
        var keys: [Int64] = []
        for lane in lanes { keys.append(try fresh.key(of: lane.outbox.namespace)) }
        for number in lanes.indices { removeUndeletable(number) }
        (store, slot) = (fresh, opened.slot)
        // Ids of the old store mean nothing to the new one.
        storeGeneration += 1
        for number in lanes.indices {
            let outbox = lanes[number].outbox
            let found = try fresh.amount(of: keys[number]).events
            let expected = lanes[number].queued + found
            move(number, from: old, to: fresh)
            (lanes[number].key, lanes[number].undeletable) = (keys[number], [])
            lanes[number].amount = try fresh.amount(of: keys[number]) + overflow.amount(of: lanes[number].overflowKey)
            outbox.countRecovered(found)
            if lanes[number].queued < expected {
                outbox.countDropped(expected - lanes[number].queued, .damaged)
                reportLoss(outbox, .damaged, expected - lanes[number].queued, "the former event store cannot be read")
            }
            saveKnownSession(number)
        }
        // One that is empty leaves memory at once.
        isStoreFailing = true
        leaveMemory()
        for number in lanes.indices { perform(threshold(number), number) }
        Task { await self.adoptAbandonedStores() }
    }

    /// Moves a lane's events; those that the new store does not take go to memory.
    private func move(_ number: Int, from old: any EventStore, to fresh: SQLiteEventStore) {
        guard let key = lanes[number].key else { return }
        let namespace = lanes[number].outbox.namespace
        if let memory = old as? MemoryEventStore {
            overflow.append(
                memory.batch(of: key, outbox: number), keys: lanes.map(\.overflowKey), isSynced: false)
        } else if let file = old as? SQLiteEventStore {
            do throws(EventStoreError) {
                while true {
                    let (moved, damaged) = try file.moveEvents(of: namespace, to: fresh)
                    if moved.events == 0 && damaged == 0 { break }
                }
            } catch {
                log.error(
                    "the events of \(namespace.excerpt) could not all be moved and are kept in memory: \(error.reason)")
                keepInMemory(number, of: file, key)
            }
        }
    }

    private func keepInMemory(_ number: Int, of file: SQLiteEventStore, _ key: Int64) {
        // What cannot even be read is missing from the counts below, and becomes a loss there.
        guard let rest = try? file.events(of: key, limit: EventAmount(events: .max, bytes: .max), except: []) else {
            return
        }
        var batch = EventBatch()
        for event in rest.events {
            event.payload.withUnsafeBytes {
                batch.append($0, outbox: number, isAnonymous: event.isAnonymous, time: time.wallTime)
            }
        }
        overflow.append(batch, keys: lanes.map(\.overflowKey), isSynced: false)
    }

    /// Goes on with a new file and what can be read of the damaged one.
    /// - Returns: Whether there is a new file.
    func replaceDamagedStore() -> Bool {
        let before = lanes.map { $0.key == nil ? nil : $0.queued }
        guard let home, let slot, let fresh = freshStore(home) else { return false }
        return settle(home.salvage(slot, in: home.path, into: fresh), before, fresh)
    }

    /// Puts a new store in the place of a damaged one, which is closed when this returns.
    private func freshStore(_ home: StateDirectory) -> SQLiteEventStore? {
        guard let damaged = store as? SQLiteEventStore else { return nil }
        do throws(EventStoreError) {
            let fresh = try home.replace(damaged.path, damaged.lock)
            store = fresh
            storeGeneration += 1
            log.error("the event store \(fresh.path) is damaged and was replaced")
            return fresh
        } catch {
            storeFailed("a damaged event store could not be replaced: \(error.reason)")
            return nil
        }
    }

    /// Brings the counts in line with a new store.
    /// - Parameters:
    ///   - reports: What was salvaged into it.
    ///   - before: How many events each lane had; nil if that could not be read.
    ///   - fresh: The store.
    /// - Returns: Whether the store could be read.
    private func settle(
        _ reports: [(report: EventSalvage.Report?, sentence: String)], _ before: [Int?], _ fresh: SQLiteEventStore
    ) -> Bool {
        for (report, sentence) in reports { logSalvage(report, sentence) }
        // A file that could not be salvaged yet still has its events.
        let isPending =
            home.map { home in slot.map { !home.leftovers(of: $0, in: home.path).isEmpty } ?? false } ?? false
        do throws(EventStoreError) {
            for number in lanes.indices {
                let outbox = lanes[number].outbox
                let key = try fresh.key(of: outbox.namespace)
                let left = try fresh.amount(of: key) + overflow.amount(of: lanes[number].overflowKey)
                (lanes[number].key, lanes[number].amount, lanes[number].undeletable) = (key, left, [])
                let named = reports.reduce(0) { $0 + ($1.report?.lost[outbox.namespace] ?? 0) }
                let known = number < before.count ? before[number] : nil
                let lost = known.map { isPending ? 0 : max(0, $0 - left.events) } ?? named
                // The sum of what became of all events stays that of all that were counted.
                outbox.countRecovered(left.events + lost - (known ?? 0))
                guard lost > 0 else { continue }
                outbox.countDropped(lost, .damaged)
                reportLoss(outbox, .damaged, lost, "the event store was damaged")
            }
            return true
        } catch {
            storeFailed("the new event store cannot be read: \(error.reason)")
            return false
        }
    }
}
