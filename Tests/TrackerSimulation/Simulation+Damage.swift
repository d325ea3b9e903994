import TrackerCore

extension Simulation {
    /// Kills a process, and damages the length of one of its events' records.
    ///
    /// All others are found, and the one that is missing is counted.
    func damageLength(of seat: Int) {
        processes[seat]?.track(dice.below(DocumentServer.namespaces.count), count: dice.within(2...6), isSynced: false)
        guard let (slot, before) = killForDamage(seat), !before.all.isEmpty else { return }
        let id = dice.pick(before.all.sorted())
        say("the length of the record of event \(id) in slot \(slot) is damaged")
        disk.damageLength(of: id, in: slot, dice, isEnd: sabotage == .givesUpBehindDamage)
        coverage.count(.damagedLengths)
        let left = disk.contents(of: slot)
        loseDamaged([id], slot, before, left)
        // A power failure can leave older numbers of records than there are.
        let counted = left.damaged - before.damaged
        if counted != 1, counted != 0 || coverage[.powerFailures] == 0 {
            fail("event \(id) is damaged, and \(counted) events more count as damaged")
        }
    }

    /// Kills a process, and damages a page of a file. All events of other pages are found.
    func damagePage(of seat: Int) {
        guard let (slot, before) = killForDamage(seat) else { return }
        let image = disk.image(of: [slot])
        guard let touched = disk.damagePage(in: slot, dice, isEnd: sabotage == .givesUpBehindDamage) else { return }
        let left = disk.contents(of: slot)
        // An event whose mark is damaged is sent again. One that was taken over would be in two places, which the ledger cannot follow.
        guard !left.all.subtracting(before.all).contains(where: { ledger[$0]?.state == .outstanding }) else {
            return disk.restore(image)
        }
        say("a page of a file of slot \(slot) is damaged")
        coverage.count(.damagedPages)
        loseDamaged(before.all.subtracting(left.all).intersection(touched), slot, before, left)
    }

    private func killForDamage(_ seat: Int) -> (slot: Int, before: Disk.Contents)? {
        guard let slot = processes[seat]?.store.slot else { return nil }
        kill(seat)
        return abandoned[slot].map { (slot, $0) }
    }

    /// Gives up damaged events. All others are where they were.
    private func loseDamaged(_ ids: Set<Int>, _ slot: Int, _ before: Disk.Contents, _ left: Disk.Contents) {
        abandoned[slot] = left
        damages += left.damaged - before.damaged
        for id in before.all.subtracting(left.all).subtracting(ids).sorted() {
            fail("event \(id) is lost by the damage of something else")
        }
        // The mark of an event that is done may be what is damaged.
        for id in left.all.subtracting(before.all).sorted() { bringBack(id) }
        for id in ids.sorted() {
            if left.all.contains(id) { fail("event \(id) is read, although it is damaged") }
            if ledger[id]?.state == .outstanding { lose(id, .lostByDamage) }
        }
    }

    /// Each damaged record is counted once by a process, or still waits to be.
    func checkDamages() {
        let count = countedDamages + abandoned.values.reduce(0) { $0 + $1.damaged }
        if count != damages { fail("\(damages) records are damaged, and \(count) are counted as such") }
    }
}
