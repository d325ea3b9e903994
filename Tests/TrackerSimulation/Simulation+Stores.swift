import TrackerCore

extension Simulation {
    /// The files of a store vanish while a process has it. The next commit finds that, and moves the events to another slot.
    func removeStore(of process: ServiceProcess) {
        guard process.diskFault == nil, !process.storage.condition.isFailing, let slot = process.storage.slot,
            process.hasTracker(0), !process.deliveries.contains(where: { $0.emitter.withDelivery(\.isInPass) })
        else { return }
        process.drain(isSynced: false)
        guard process.storage.memory.namespaces().isEmpty, process.storage.unremoved.isEmpty
        else { return }
        say("the store of process \(process.seat) vanishes")
        disk.remove(slot)
        coverage.count(.removedStores)
        let refusal = dice.chance(percent: 50) ? refuseSwitch(of: process) : nil
        process.track(0, count: 1, isSynced: true)
        if let refusal { admitSwitch(of: process, from: slot, to: refusal) }
        guard let new = process.storage.slot, process.storage.disk != nil else {
            return fail("process \(process.seat) has no store after the one before vanished")
        }
        say("process \(process.seat) has slot \(new) now")
        abandoned[new] = nil
        if sabotage == .switchesHalf, process.storage.count > 1 {
            let keys = process.storage.partitions.prefix(2).map(\.key)
            (process.storage.partitions[0].key, process.storage.partitions[1].key) = (keys[1], keys[0])
        }
        process.replayLeftovers()
        process.applyChanges()
        process.noteSync()
    }

    /// Lets the reads of the next new store fail once the first namespace has its number there.
    /// - Returns: The slot; nil if another one would be taken.
    private func refuseSwitch(of process: ServiceProcess) -> Int? {
        guard process.storage.count > 1, disk.slots.allSatisfy(isTaken),
            let slot = (0..<8).first(where: { !isTaken(slot: $0) })
        else { return nil }
        do {
            try disk.refuse(process.storage.partitions[1].namespace, in: slot)
        } catch {
            fail("slot \(slot) cannot be made to fail: \(error)")
        }
        process.isSwitchRefused = true
        return slot
    }

    /// The switch has failed half way. No event is filed under another namespace, and the next attempt succeeds.
    private func admitSwitch(of process: ServiceProcess, from old: Int, to slot: Int) {
        process.isSwitchRefused = false
        if process.storage.slot == old { coverage.count(.failedSwitches) }
        checkNamespaces(process.onDisk, "the vanished store of process \(process.seat)")
        checkNamespaces(process.inMemory, "the memory of process \(process.seat)")
        do {
            try disk.admitAll(in: slot)
        } catch {
            fail("slot \(slot) fails for good: \(error)")
        }
        clock.advance(to: clock.milliseconds + 1_000)
        process.track(0, count: 1, isSynced: true)
    }
}
