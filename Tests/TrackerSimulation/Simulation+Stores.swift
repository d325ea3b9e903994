import TrackerCore

extension Simulation {
    /// The files of a slot vanish while a process has it, with its lock. The next drain finds that, and moves the events to another
    /// slot.
    func removeStore(of process: ServiceProcess) {
        guard process.disk.fault == nil, let slot = process.store.slot, process.hasTracker(0) else { return }
        process.drain(isSynced: false)
        say("the files of process \(process.seat) vanish")
        disk.remove(slot)
        coverage.count(.removedStores)
        process.track(0, count: 1, isSynced: true)
        guard let new = process.store.slot else {
            return fail("process \(process.seat) has no slot after the one before vanished")
        }
        say("process \(process.seat) has slot \(new) now")
        abandoned[new] = nil
    }
}
