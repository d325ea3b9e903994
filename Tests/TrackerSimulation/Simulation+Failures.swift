import TrackerCore

extension Simulation {
    /// What a process leaves.
    private struct Remains {
        var image: Disk.Image
        var events: Set<Int>
        let hasHadDiskFault: Bool
    }

    /// Kills a process: its files stay as they are, its memory is lost.
    func kill(_ seat: Int) {
        guard let remains = end(seat) else { return }
        say("process \(seat) is killed")
        coverage.count(.kills)
        disk.restore(remains.image)
        abandoned[remains.image.slot] = remains.events
    }

    /// The machine loses power: all processes end, and the ends of their logs that were not synced are torn off.
    func failPower() {
        say("the power fails")
        coverage.count(.powerFailures)
        var all = processes.indices.compactMap(end)
        let taken = Set(all.map(\.image.slot))
        for (slot, events) in abandoned.sorted(by: { $0.key < $1.key }) where !taken.contains(slot) {
            all.append(Remains(image: disk.image(of: slot), events: events, hasHadDiskFault: true))
        }
        for remains in all {
            var image = remains.image
            let synced = disk.synced[image.slot]
            if var log = WriteAheadLog(image.log), log.tear(after: synced?.position, dice) {
                image.log = log.bytes
                coverage.count(.tornLogs)
            }
            let left = readContents(of: image)
            compare(left, with: remains, synced: synced?.change ?? 0)
            disk.restore(image)
            disk.noteSync(image.slot, change: ledger.lastChange)
            abandoned[image.slot] = left
        }
    }

    private func compare(_ left: Set<Int>, with remains: Remains, synced: Int) {
        for id in remains.events.subtracting(left).sorted() {
            guard let entry = ledger[id], entry.state == .outstanding else { continue }
            if entry.change <= synced, !remains.hasHadDiskFault {
                fail("event \(id) was synced, and a power failure lost it")
            }
            say("event \(id) is lost")
            ledger.lose(id)
            coverage.count(.lostByPower)
        }
        for id in left.subtracting(remains.events).sorted() {
            guard let entry = ledger[id] else { continue }
            if entry.state == .outstanding {
                fail("event \(id) is in two places after a power failure")
            } else if entry.change <= synced, !remains.hasHadDiskFault {
                fail("the removal of event \(id) was synced, and a power failure undid it")
            }
            say("event \(id) is back")
            ledger.revive(id)
            coverage.count(.undoneRemovals)
        }
    }

    /// Ends a process without any of its own doing.
    private func end(_ seat: Int) -> Remains? {
        guard let process = processes[seat] else { return nil }
        for id in process.inMemory.values.joined().sorted() {
            if !process.storage.condition.isFailing, process.storage.disk != nil {
                fail("event \(id) is in memory only, although the disk of process \(seat) works")
            }
            say("event \(id) is lost with the memory of process \(seat)")
            ledger.lose(id)
            coverage.count(.lostFromMemory)
        }
        ledger.revive(process.unremoved, in: self)
        allowOpenRequests(of: process.life)
        agenda.removeAll { $0.life == process.life }
        let slot = process.storage.slot
        let events = Set(process.onDisk.values.joined())
        let hasHadDiskFault = process.hasHadDiskFault
        let image = slot.map(disk.image)
        process.isEnded = true
        processes[seat] = nil
        return image.map { Remains(image: $0, events: events, hasHadDiskFault: hasHadDiskFault) }
    }

    private func readContents(of image: Disk.Image) -> Set<Int> {
        do {
            return Set(try disk.contents(of: image).values.joined())
        } catch {
            fail("slot \(image.slot) cannot be read after the end of its process: \(error)")
            return []
        }
    }

    /// Finds what is in the slots that no process has.
    func readAbandonedSlots() {
        abandoned = [:]
        for slot in disk.slots where !isTaken(slot: slot) {
            abandoned[slot] = readContents(of: disk.image(of: slot))
        }
    }
}

extension Ledger {
    /// Events whose removal failed are in the store that a process leaves.
    mutating func revive(_ ids: Set<Int>, in world: Simulation) {
        for id in ids.sorted() {
            revive(id)
            world.say("event \(id) could not be removed and is in the store again")
            world.coverage.count(.undoneRemovals)
        }
    }
}
