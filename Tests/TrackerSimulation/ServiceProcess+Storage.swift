import TrackerConfig
import TrackerCore
import TrackerPlatform

/// What is wrong with the disk of a process.
enum DiskFault: String {
    /// No file can be made.
    case full
    /// Nothing can be changed.
    case failing
}

/// What a process's changes of files meet.
final class DiskState: Sendable {
    private let state = Locked((fault: DiskFault?.none, changesLeft: Int?.none, isKilled: false))

    var fault: DiskFault? {
        get { state.withLock { $0.fault } }
        set { state.withLock { $0.fault = newValue } }
    }

    /// Whether a change was the process's last.
    var isKilled: Bool { state.withLock { $0.isKilled } }

    /// Lets the process be killed before a change.
    func killAfter(_ changes: Int?) {
        state.withLock { $0.changesLeft = changes }
    }

    func change(_ path: String) throws(EventStoreError) {
        let (isKilled, fault) = state.withLock { state in
            if let left = state.changesLeft {
                state.changesLeft = left - 1
                if left <= 0 { state.isKilled = true }
            }
            return (state.isKilled, state.fault)
        }
        if isKilled { throw EventStoreError(.failed, reason: "the process is killed") }
        let isNew = access(path, F_OK) != 0
        if fault == .failing || fault == .full && isNew {
            throw EventStoreError(.full, reason: "the simulation has no room")
        }
    }
}

extension ServiceProcess {
    /// Counts what became of events in the store, and lets the deliveries know.
    func applyChanges() {
        var changes = store.takeChanges()
        while !changes.isEmpty {
            for (namespace, change) in changes { follow(change, index(of: namespace)) }
            changes = store.takeChanges()
        }
        if store.isTakeOverDue {
            store.isTakeOverDue = false
            isTakeOverDue = true
        }
        world.coverage.count(.memoryFallbacks, max(0, store.memoryOnlyCount - memoryOnlyCount))
        memoryOnlyCount = store.memoryOnlyCount
        postponedWorkSoon()
    }

    private func postponedWorkSoon() {
        let isScheduled = world.agenda.contains(of: life) { if case .postponedWork = $0 { true } else { false } }
        guard isUp, !isScheduled, store.hasPostponedWork else { return }
        world.agenda.add(.postponedWork, at: world.clock.milliseconds + 1_000, of: life)
    }

    /// Does what could not be done at once. The process may be killed on the way.
    func doPostponedWork() {
        isCheckDue = true
        mayBeKilled { store.doPostponedWork() }
        guard isUp else { return }
        applyChanges()
    }

    /// Runs what changes files; at times the process is killed before one of the changes.
    private func mayBeKilled(_ body: () -> Void) {
        if world.dice.chance(percent: 15) { disk.killAfter(world.dice.below(12)) }
        body()
        // A copy is synced before it has its name.
        world.disk.noteCopies()
        disk.killAfter(nil)
        if disk.isKilled { world.killOnTheWay(self) }
    }

    private func follow(_ change: EventStore.Change, _ index: Int) {
        openDeliveries()
        let emitter = deliveries[index].emitter
        switch change {
        case .stored: enforceBounds(index)
        case .found(let count):
            emitter.countRecovered(count)
            world.coverage.count(.takenOver, count)
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
        store.enforceBounds(index, by: deliveries[index].lastSettings?.emitter ?? .builtIn)
    }

    /// Notes that what the own slot has is safe from a power failure.
    func noteSync() {
        guard let slot = store.slot else { return }
        world.disk.noteSync(slot)
        world.ledger.sync(events(isDurable: true).values.joined())
    }

    /// Maintains the store, as the pipeline does every 30 s.
    func maintain() async {
        guard isUp else { return }
        store.maintain()
        applyChanges()
        for index in deliveries.indices where world.dice.chance(percent: 10) { enforceBounds(index) }
        applyChanges()
        await takeOver()
    }

    /// Takes over what dead processes left. The process may be killed on the way.
    func takeOver() async {
        isTakeOverDue = false
        guard isUp, world.sabotage != .forgetsLeft else { return }
        let before = world.coverage[.takenOver]
        if world.sabotage == .forgetsTaken { world.disk.forgetTaken() }
        let left = world.disk.slots.filter { !world.isTaken(slot: $0) }
        let image = world.disk.image(of: left)
        if world.dice.chance(percent: 10) { disk.killAfter(world.dice.below(8)) }
        let own = deliveries.filter { $0.emitter.withDelivery { $0.settings } != nil }.map {
            ExactText($0.emitter.namespace)
        }
        _ = await store.takeOver(of: Set(own)) { applyChanges() }
        disk.killAfter(nil)
        world.disk.noteCopies(from: image)
        if disk.isKilled { return world.killOnTheWay(self) }
        applyChanges()
        if world.sabotage == .takesTwice { world.disk.restore(image) }
        world.readAbandonedSlots()
        if disk.fault == nil { world.noteLook(of: self) }
        guard world.coverage[.takenOver] > before else { return }
        world.coverage.count(.takeovers)
        world.say("process \(seat) takes over events of dead processes")
    }

    /// The namespaces that have a tracker, by their index in ``DocumentServer/namespaces``.
    var namespaces: Set<Int> {
        Set(DocumentServer.namespaces.indices.filter(hasTracker))
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
        disk.fault = fault
        if fault != nil { hasHadDiskFault = true }
    }

    /// The numbers of the events of the process, by namespace.
    func events(isDurable: Bool) -> [String: [Int]] {
        var events: [String: [Int]] = [:]
        for (index, delivery) in deliveries.enumerated() where index < store.count {
            store.forEachEvent(of: index) { event, isInFile in
                if isInFile == isDurable, let id = Ledger.id(of: event) {
                    events[delivery.emitter.namespace, default: []].append(id)
                }
            }
        }
        return events
    }

    /// Ends in order: nothing is sent any more, and the store is closed.
    func shutDown() {
        run { $0.stop($1) }
        drain(isSynced: false)
        store.isClosing = true
        openDeliveries()
        for index in deliveries.indices { deliver(index) { state, _ in state.shutDown() } }
        // A cancelled request ends at once; its answer, if it had one, is still judged.
        for flight in world.takeAnswers(of: life) { received(flight, flight.result) }
        if deliveries.contains(where: { $0.emitter.withDelivery(\.isInPass) && !hasLoad($0.emitter.namespace) }) {
            world.fail("a pass of process \(seat) does not end with its shutdown")
        }
        if !flushes.isEmpty { world.fail("the flushes \(flushes) of process \(seat) outlive its shutdown") }
        store.close()
        applyChanges()
        check()
        isEnded = true
    }

    private func hasLoad(_ namespace: String) -> Bool {
        world.agenda.contains(of: life) { task in
            if case .load(let index, _) = task { deliveries[index].emitter.namespace == namespace } else { false }
        }
    }
}
