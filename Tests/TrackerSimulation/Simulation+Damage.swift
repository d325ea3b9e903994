import TrackerCore

extension Simulation {
    /// Kills a process whose events only a staging file has, and damages the length of one of their records.
    ///
    /// All others are found, and the one that is missing is counted.
    func damageLength(of seat: Int) {
        processes[seat]?.track(dice.below(DocumentServer.namespaces.count), count: dice.within(2...6), isSynced: false)
        guard let (slot, before) = killForDamage(seat), !before.staged.isEmpty else { return }
        let id = dice.pick(before.staged.sorted())
        say("the length of the record of event \(id) in slot \(slot) is damaged")
        do {
            try disk.damageLength(of: id, in: slot, dice, isEnd: sabotage == .givesUpBehindDamage)
        } catch {
            fail("the staging file of slot \(slot) cannot be damaged: \(error)")
        }
        coverage.count(.damagedLengths)
        let left = readContents(of: disk.image(of: slot))
        abandoned[slot] = left
        damages += 1
        loseDamaged([id], before, left)
        if left.damaged != before.damaged + 1 {
            fail("event \(id) is damaged, and \(left.damaged - before.damaged) events more count as damaged")
        }
    }

    /// Kills a process, and damages a page of its database, which the next process finds.
    ///
    /// All rows of other pages are found, and what is missing is counted.
    func damagePage(of seat: Int) {
        processes[seat]?.drain(isSynced: false)
        processes[seat]?.spill()
        guard let (slot, before) = killForDamage(seat), !before.stored.isEmpty else { return }
        do {
            // A salvage gives all rows new ids, so that notes of sent events that a full disk kept do not count any more, and
            // they are sent again.
            guard try !disk.hasUnremoved(slot) else { return }
            let salvage = try disk.damagePage(in: slot, dice, isEnd: sabotage == .givesUpBehindDamage)
            guard let salvage else { return }
            say("a page of the database of slot \(slot) is damaged")
            coverage.count(.damagedPages)
            let left = readContents(of: disk.image(of: slot))
            abandoned[slot] = left
            let missing = before.all.subtracting(left.all)
            loseDamaged(missing.intersection(salvage.touched), before, left)
            let count = sabotage == .forgetsDamage ? 0 : salvage.report.lost.values.reduce(0, +)
            if count < missing.count, !salvage.report.hasUnknownLoss {
                fail("events \(missing.sorted().prefix(5)) are missing after a salvage that counts \(count) as lost")
            }
        } catch {
            fail("the database of slot \(slot) cannot be salvaged: \(error)")
        }
    }

    private func killForDamage(_ seat: Int) -> (slot: Int, before: Disk.Contents)? {
        guard let slot = processes[seat]?.storage.slot else { return nil }
        kill(seat)
        return abandoned[slot].map { (slot, $0) }
    }

    /// Gives up damaged events. All others are where they were.
    private func loseDamaged(_ ids: Set<Int>, _ before: Disk.Contents, _ left: Disk.Contents) {
        for id in before.all.subtracting(left.all).subtracting(ids).sorted() {
            fail("event \(id) is lost by the damage of something else")
        }
        for id in left.all.subtracting(before.all).sorted() { fail("event \(id) is back after damage") }
        for id in ids.sorted() {
            if left.all.contains(id) { fail("event \(id) is read, although it is damaged") }
            if ledger[id]?.state == .outstanding { lose(id, .lostByDamage) }
        }
    }

    /// Each damaged record is counted once by a process, or still waits to be.
    func checkDamages() {
        var count = countedDamages + abandoned.values.reduce(0) { $0 + $1.damaged }
        for case let process? in processes where process.isUp {
            count += process.storage.staging.leftovers.reduce(0) { $0 + $1.damaged }
        }
        if count != damages { fail("\(damages) records are damaged, and \(count) are counted as such") }
    }
}
