import TrackerConfig
import TrackerCore

/// What is wrong with the disk of a process.
enum DiskFault: String {
    /// The database cannot grow.
    case full
    /// Nothing can be written.
    case failing
}

extension ServiceProcess {
    /// Counts what became of events in the storage, and lets the deliveries know.
    func applyChanges() {
        var changes = storage.takeChanges()
        while !changes.isEmpty {
            for (namespace, change) in changes { follow(change, index(of: namespace)) }
            changes = storage.takeChanges()
        }
        storage.release(to: queue)
        if storage.isAdoptionDue {
            storage.isAdoptionDue = false
            isAdoptionDue = true
        }
    }

    private func follow(_ change: EventStorage.Change, _ index: Int) {
        openDeliveries()
        let emitter = deliveries[index].emitter
        switch change {
        case .stored: enforceBounds(index)
        case .found(let count):
            emitter.countRecovered(count)
            world.coverage.count(.recovered, max(count, 0))
            publishOldest(index)
        case .adopted(let count):
            emitter.countRecovered(count)
            world.coverage.count(.adoptions)
            enforceBounds(index)
            publishOldest(index)
        case .lost(let count, let reason, _):
            if reason == .damaged, world.sabotage != .forgetsDamage { world.countedDamages += count }
            emitter.countDropped(count, reason)
            publishOldest(index)
        }
        deliver(index) { $0.eventsChanged(queued: $1) }
    }

    private func enforceBounds(_ index: Int) {
        storage.enforceBounds(index, by: deliveries[index].lastSettings?.emitter ?? .builtIn)
    }

    /// Stores what a dead process left in the slot's staging file.
    func replayLeftovers() {
        if storage.replayLeftovers() { noteSync() }
    }

    /// Notes that what the own slot has is safe from a power failure, which what is in memory is not.
    func noteSync() {
        guard let slot = storage.slot else { return }
        world.disk.noteSync(slot, change: world.ledger.lastChange)
        for id in inMemory.values.joined() { world.ledger.touch(id) }
    }

    /// Maintains the storage, as the pipeline does every 30 s.
    func tend() async {
        guard isUp else { return }
        storage.reopen()
        storage.reopenStaging()
        replayLeftovers()
        storage.countRest()
        while storage.countMore() { applyChanges() }
        applyChanges()
        storage.salvageLeftovers()
        applyChanges()
        for index in deliveries.indices where world.dice.chance(percent: 10) { enforceBounds(index) }
        applyChanges()
        await adopt()
    }

    /// Takes over what dead processes left.
    func adopt() async {
        isAdoptionDue = false
        guard isUp else { return }
        // A namespace that the disk gave no number before counts what was moved as found.
        let before = world.coverage[.adoptions] + world.coverage[.recovered]
        let images = world.sabotage == .adoptsTwice ? world.disk.slots.map(world.disk.image) : []
        // As if they were not free: databases that are as they were.
        let unseen = world.sabotage == .looksAtDatabaseOnly ? world.disk.locks(of: seenDatabases) : []
        defer { withExtendedLifetime(unseen) {} }
        // A process may end between two steps of it.
        let isCutShort = world.dice.chance(percent: 10)
        _ = await storage.adopt(
            if: { [deliveries] name in
                deliveries.contains { $0.emitter.namespace == name && $0.lastSettings != nil }
            },
            pause: { [storage] in
                self.applyChanges()
                if isCutShort { storage.isClosing = true }
            })
        if !isEnded { storage.isClosing = false }
        applyChanges()
        defer {
            if world.sabotage == .looksAtDatabaseOnly {
                seenDatabases = world.disk.stamps { !self.world.isTaken(slot: $0) }
            }
            if !isCutShort, !isEnded, diskFault == nil, !storage.condition.isFailing { world.noteLook(of: self) }
        }
        guard world.coverage[.adoptions] + world.coverage[.recovered] > before else { return }
        for image in images where !world.isTaken(slot: image.slot) { world.disk.restore(image) }
        noteSync()
        world.say("process \(seat) takes over events of dead processes")
        world.readAbandonedSlots()
    }

    /// The namespaces that have a tracker, or had one, by their index in ``DocumentServer/namespaces``.
    var namespaces: Set<Int> {
        Set(
            deliveries.filter { $0.lastSettings != nil }.compactMap { delivery in
                DocumentServer.namespaces.firstIndex(of: delivery.emitter.namespace)
            })
    }

    /// Whether a namespace has a tracker.
    func hasTracker(_ namespace: Int) -> Bool {
        deliveries.contains { delivery in
            delivery.emitter.namespace == DocumentServer.namespaces[namespace]
                && delivery.emitter.withDelivery { $0.settings } != nil
        }
    }

    /// Breaks the disk, or repairs it.
    func setDiskFault(_ fault: DiskFault?) {
        diskFault = fault
        if fault != nil { hasHadDiskFault = true }
        guard let database = storage.disk?.database else { return }
        do throws(EventStoreError) {
            try database.execute("PRAGMA query_only = \(fault == .failing ? 1 : 0)")
            // SQLite does not go below the pages that there are.
            try database.execute("PRAGMA max_page_count = \(fault == .full ? 1 : 1_000_000_000)")
        } catch {
            world.fail("the disk of process \(seat) cannot be broken: \(error.reason)")
        }
    }

    /// The numbers of the events in the memory of the process, by namespace.
    var inMemory: [String: [Int]] {
        var contents: [String: [Int]] = [:]
        for partition in storage.partitions {
            let everything = EventAmount(events: .max, bytes: .max)
            let found = storage.memory.events(of: partition.memoryKey, from: .min, limit: everything, except: [])
            if !found.events.isEmpty { contents[partition.namespace] = found.events.compactMap(Ledger.id) }
        }
        return contents
    }

    /// The numbers of the events on the disk of the process, by namespace.
    var onDisk: [String: [Int]] {
        guard let disk = storage.disk else { return [:] }
        do {
            return try Disk.contents(of: disk)
        } catch {
            world.fail("the store of process \(seat) cannot be read: \(error)")
            return [:]
        }
    }

    /// The numbers of the events that were sent or dropped, and that the disk could not remove.
    var unremoved: Set<Int> { unremoved { _ in true } }

    /// The numbers of those that are not noted in a staging file, and that the next process sends again.
    var unnoted: Set<Int> {
        let noted = storage.staging.usedSegments == nil ? [] : storage.unremoved.runs.prefix(UnremovedRows.mostRuns)
        return unremoved { id in !noted.contains { $0.ids.contains(id) } }
    }

    private func unremoved(where isIncluded: (Int64) -> Bool) -> Set<Int> {
        guard let disk = storage.disk else { return [] }
        var ids: Set<Int> = []
        guard !storage.unremoved.isEmpty else { return [] }
        for partition in storage.partitions {
            guard let key = partition.key else { continue }
            let everything = EventAmount(events: .max, bytes: .max)
            guard let all = try? disk.events(of: key, limit: everything, except: []) else { continue }
            for event in all.events where storage.unremoved.run(at: event.id) != nil && isIncluded(event.id) {
                if let id = Ledger.id(of: event) { ids.insert(id) }
            }
        }
        return ids
    }

    /// Ends in order: nothing is sent any more, and the storage is closed.
    func shutDown() {
        handle(.stopped)
        drain(isSynced: false)
        storage.isClosing = true
        openDeliveries()
        for index in deliveries.indices { deliver(index) { state, _ in state.shutDown() } }
        // A cancelled request ends at once; its answer, if it had one, is still judged.
        for flight in world.takeAnswers(of: life) { received(flight, flight.result) }
        if deliveries.contains(where: { $0.emitter.withDelivery(\.isInPass) && !hasLoad($0.emitter.namespace) }) {
            world.fail("a pass of process \(seat) does not end with its shutdown")
        }
        if !flushes.isEmpty { world.fail("the flushes \(flushes) of process \(seat) outlive its shutdown") }
        let unnoted = self.unnoted
        storage.close()
        applyChanges()
        world.ledger.revive(unnoted, in: world)
        check()
        isEnded = true
    }

    private func hasLoad(_ namespace: String) -> Bool {
        world.agenda.contains(of: life) { task in
            if case .load(let index, _) = task { deliveries[index].emitter.namespace == namespace } else { false }
        }
    }
}
