import TrackerCore

extension Simulation {
    /// What a process leaves.
    private struct Remains {
        var image: Disk.Image
        /// The events that it knew.
        let events: Set<Int>
        /// Those of them that were on no disk, but in a staging file.
        let staged: Set<Int>
        let hasHadDiskFault: Bool
    }

    /// Kills a process: its files stay as they are, its memory is lost.
    func kill(_ seat: Int) {
        guard let remains = end(seat) else { return }
        say("process \(seat) is killed")
        coverage.count(.kills)
        disk.restore(remains.image)
        let left = readContents(of: remains.image)
        coverage.count(.staged, remains.staged.intersection(left.all).count)
        for id in remains.events.subtracting(left.all).sorted() where ledger[id]?.state == .outstanding {
            fail("event \(id) was tracked, and a kill lost it")
        }
        abandoned[remains.image.slot] = left
        looks[remains.image.slot] = nil
        checkLeft(left, hasHadDiskFault: remains.hasHadDiskFault)
    }

    /// What a process leaves is not done with, unless it was in memory, as its disk failed, together with events that are not.
    func checkLeft(_ contents: Disk.Contents, hasHadDiskFault: Bool) {
        for id in contents.all.sorted() where ledger[id]?.state != .outstanding {
            if !hasHadDiskFault || contents.stored.contains(id) {
                fail("event \(id) had left the store, and the end of its process returned it")
            }
            bringBack(id)
        }
    }

    /// The machine loses power: all processes end, and what was not synced is lost in part: the ends of logs, and pages of
    /// staging files.
    func failPower() {
        say("the power fails")
        coverage.count(.powerFailures)
        var all = processes.indices.compactMap(end)
        let taken = Set(all.map(\.image.slot))
        for (slot, contents) in abandoned.sorted(by: { $0.key < $1.key }) where !taken.contains(slot) {
            all.append(
                Remains(image: disk.image(of: slot), events: contents.all, staged: [], hasHadDiskFault: true))
        }
        for remains in all {
            var image = remains.image
            let synced = disk.synced[image.slot]
            if var log = WriteAheadLog(image.log), log.tear(after: synced?.position, dice) {
                image.log = log.bytes
                coverage.count(.tornLogs)
            }
            if dice.chance(percent: 60) { tearStaging(image.slot) }
            let left = readContents(of: image)
            compare(left.all, with: remains, synced: synced?.change ?? 0)
            disk.restore(image)
            disk.noteSync(image.slot, change: ledger.lastChange)
            abandoned[image.slot] = left
            looks[image.slot] = nil
        }
        // How many records are damaged now, no one knows.
        damages = countedDamages + abandoned.values.reduce(0) { $0 + $1.damaged }
    }

    private func tearStaging(_ slot: Int) {
        do {
            if try disk.tearStaging(slot, dice) { coverage.count(.tornStaging) }
        } catch {
            fail("the staging file of slot \(slot) cannot be torn: \(error)")
        }
    }

    private func compare(_ left: Set<Int>, with remains: Remains, synced: Int) {
        for id in remains.events.subtracting(left).sorted() {
            guard let entry = ledger[id], entry.state == .outstanding else { continue }
            if entry.change <= synced, !remains.hasHadDiskFault, !remains.staged.contains(id) {
                fail("event \(id) was synced, and a power failure lost it")
            }
            lose(id, .lostByPower)
        }
        for id in left.subtracting(remains.events).sorted() {
            guard let entry = ledger[id] else { continue }
            if entry.state == .outstanding {
                fail("event \(id) is in two places after a power failure")
            } else if entry.change <= synced, !remains.hasHadDiskFault {
                fail("the removal of event \(id) was synced, and a power failure undid it")
            }
            bringBack(id)
        }
    }

    func lose(_ id: Int, _ subject: Coverage.Subject) {
        say("event \(id) is lost")
        ledger.lose(id)
        coverage.count(subject)
    }

    private func bringBack(_ id: Int) {
        say("event \(id) is back")
        ledger.revive(id)
        coverage.count(.undoneRemovals)
    }

    /// Ends a process without any of its own doing.
    private func end(_ seat: Int) -> Remains? {
        guard let process = processes[seat] else { return nil }
        let inMemory = Set(process.inMemory.values.joined())
        let (unremoved, unnoted) = (process.unremoved, process.unnoted)
        ledger.revive(unnoted, in: self)
        allowOpenRequests(of: process.life)
        agenda.removeAll(of: process.life) { _ in true }
        let stored = Set(process.onDisk.values.joined()).subtracting(unremoved.subtracting(unnoted))
        let staged = inMemory.union(process.queued.values.joined())
        let hasHadDiskFault = process.hasHadDiskFault
        let image = process.storage.slot.map(disk.image)
        process.isEnded = true
        processes[seat] = nil
        return image.map { image in
            Remains(
                image: image, events: stored.union(staged), staged: staged, hasHadDiskFault: hasHadDiskFault)
        }
    }

    func readContents(of image: Disk.Image) -> Disk.Contents {
        let contents = contents(of: image)
        for id in contents.stored.intersection(contents.staged).sorted() {
            fail("event \(id) is in the database and in the staging file of slot \(image.slot)")
        }
        return contents
    }

    private func contents(of image: Disk.Image) -> Disk.Contents {
        do {
            return try disk.contents(of: image)
        } catch {
            fail("slot \(image.slot) cannot be read after the end of its process: \(error)")
            return Disk.Contents()
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
