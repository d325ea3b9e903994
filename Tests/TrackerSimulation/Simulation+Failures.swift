import TrackerCore

extension Simulation {
    /// What a process leaves.
    private struct Remains {
        let slot: Int?
        /// The events that it knew.
        let events: Set<Int>
        /// Those of them that may have been in memory only.
        let inMemory: Set<Int>
    }

    /// Kills a process: its files stay as they are, its memory is lost.
    func kill(_ seat: Int) {
        guard let remains = end(seat) else { return }
        say("process \(seat) is killed")
        coverage.count(.kills)
        let left = remains.slot.map(disk.contents) ?? Disk.Contents()
        coverage.count(.left, left.all.count)
        for id in remains.events.subtracting(left.all).sorted() where ledger[id]?.state == .outstanding {
            if remains.inMemory.contains(id) {
                lose(id, .lostInMemory)
            } else {
                fail("event \(id) was tracked, and a kill lost it")
            }
        }
        if let slot = remains.slot {
            abandoned[slot] = left
            looks[slot] = nil
            checkLeft(left)
        }
    }

    /// A process is killed in the middle of a change of its files.
    func killOnTheWay(_ process: ServiceProcess) {
        coverage.count(.killsOnTheWay)
        // What it took over from other slots is not counted yet.
        process.isEnded = true
        kill(process.seat)
        readAbandonedSlots()
        // Damaged records that it had removed are counted with the process, or not at all.
        damages = min(damages, countedDamages + abandoned.values.reduce(0) { $0 + $1.damaged })
    }

    /// What a process leaves is not done with.
    func checkLeft(_ contents: Disk.Contents) {
        for id in contents.all.sorted() where ledger[id]?.state != .outstanding {
            fail("event \(id) had left the store, and the end of its process returned it")
            bringBack(id)
        }
    }

    /// The machine loses power: all processes end, and what was not synced is lost in part: pages in any order, and changes of names.
    func failPower() {
        say("the power fails")
        coverage.count(.powerFailures)
        var events = Set(abandoned.values.flatMap(\.all))
        for remains in processes.indices.compactMap(end) { events.formUnion(remains.events) }
        var synced: Set<Int> = []
        for id in events {
            if let entry = ledger[id], entry.state == .outstanding, entry.isSynced { synced.insert(id) }
        }
        if disk.losePower(dice) { coverage.count(.tornFiles) }
        looks = [:]
        readAbandonedSlots()
        var left: Set<Int> = []
        for contents in abandoned.values {
            for id in left.intersection(contents.all).sorted() {
                fail("event \(id) is in two slots after a power failure")
            }
            left.formUnion(contents.all)
        }
        for id in events.subtracting(left).sorted() where ledger[id]?.state == .outstanding {
            if synced.contains(id) { fail("event \(id) was synced, and a power failure lost it") }
            lose(id, .lostByPower)
        }
        for id in left.sorted() where ledger[id]?.state != .outstanding { bringBack(id) }
        ledger.sync(left)
        // How many records are damaged now, no one knows.
        damages = countedDamages + abandoned.values.reduce(0) { $0 + $1.damaged }
    }

    func lose(_ id: Int, _ subject: Coverage.Subject) {
        say("event \(id) is lost")
        ledger.lose(id)
        coverage.count(subject)
    }

    func bringBack(_ id: Int) {
        say("event \(id) is back")
        ledger.revive(id)
        coverage.count(.undoneRemovals)
    }

    /// Ends a process without any of its own doing.
    private func end(_ seat: Int) -> Remains? {
        guard let process = processes[seat] else { return nil }
        allowOpenRequests(of: process.life)
        agenda.removeAll(of: process.life) { _ in true }
        let durable = Set(process.events(isDurable: true).values.joined())
        let queued = Set(process.queued.values.joined())
        var inMemory = Set(process.events(isDurable: false).values.joined())
        if process.hasHadDiskFault { inMemory.formUnion(queued) }
        process.isEnded = true
        processes[seat] = nil
        return Remains(
            slot: process.store.slot, events: durable.union(inMemory).union(queued), inMemory: inMemory)
    }

    /// Finds what is in the slots that no process has.
    func readAbandonedSlots() {
        abandoned = [:]
        for slot in disk.slots where !isTaken(slot: slot) { abandoned[slot] = disk.contents(of: slot) }
    }
}
