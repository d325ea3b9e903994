import Foundation

/// The directory in which processes keep their unsent events, each in a slot of its own.
///
/// A process takes the first slot that no living process holds, with all that a dead one left in it; what is left in
/// other free slots is moved into its own. Lock files are never deleted: a deleted one could be locked twice.
struct StateDirectory: Sendable {
    let path: String

    /// Opens a store in the first free slot.
    /// - Returns: The store, the number of its slot, and what was found that somebody should know.
    func openStore() throws(EventStoreError) -> (store: SQLiteEventStore, slot: Int, warnings: [String]) {
        do throws(FileError) {
            try StandardDirectory.create(path)
        } catch {
            throw EventStoreError(code: .unavailable, reason: error.description)
        }
        var warnings: [String] = []
        var slot = 0
        while true {
            if let lock = try lock(slot) { return (try open(slot, lock, &warnings), slot, warnings) }
            slot += 1
        }
    }

    /// Opens the stores of other slots that no living process holds and that hold events.
    /// - Returns: The stores, and what was found that somebody should know.
    func abandonedStores(except own: Int) -> (stores: [SQLiteEventStore], warnings: [String]) {
        var stores: [SQLiteEventStore] = []
        var warnings: [String] = []
        var names: [String] = []
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            warnings.append("what other processes left in \(path) cannot be looked for: \(error.localizedDescription)")
        }
        for name in names.sorted() where name.hasPrefix("events-") && name.hasSuffix(".sqlite") {
            guard let slot = Int(name.dropFirst(7).dropLast(7)), slot != own else { continue }
            do throws(EventStoreError) {
                guard let lock = try lock(slot) else { continue }
                let store = try open(slot, lock, &warnings)
                if try !store.namespaces().isEmpty { stores.append(store) }
            } catch {
                warnings.append("the events of \(path)/\(name) could not be taken over: \(error.reason)")
            }
        }
        return (stores, warnings)
    }

    private func lock(_ slot: Int) throws(EventStoreError) -> FileLock? {
        do throws(FileError) {
            return try FileLock(path: "\(path)/events-\(slot).lock")
        } catch {
            throw EventStoreError(code: .unavailable, reason: error.description)
        }
    }

    private func open(
        _ slot: Int, _ lock: FileLock, _ warnings: inout [String]
    ) throws(EventStoreError) -> SQLiteEventStore {
        let file = "\(path)/events-\(slot).sqlite"
        do throws(EventStoreError) {
            return try SQLiteEventStore(path: file, lock: lock)
        } catch  where error.code == .corrupt {
            let (store, warning) = try replace(slot, lock)
            warnings.append(warning)
            return store
        }
    }

    /// Sets a slot's damaged file aside and makes a new one with what can be read of it.
    /// - Returns: The new store, and what was done as a sentence.
    func replace(
        _ slot: Int, _ lock: FileLock
    ) throws(EventStoreError) -> (store: SQLiteEventStore, warning: String) {
        let file = "\(path)/events-\(slot).sqlite"
        let aside = "\(file).corrupt"
        for suffix in ["", "-wal", "-shm"] { rename(file + suffix, aside + suffix) }
        let store = try SQLiteEventStore(path: file, lock: lock)
        let salvaged = SQLiteEventStore.salvage(aside, into: store)
        return (store, "\(file) is damaged and was set aside as \(aside); \(salvaged) of its events could be read")
    }
}
