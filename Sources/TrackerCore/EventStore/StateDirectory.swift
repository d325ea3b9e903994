import Foundation

/// The directory in which processes keep their unsent events, each in a slot of its own.
///
/// A process takes the first slot that no living process holds, with all that a dead one left in it, and moves the
/// events of other free slots into its own. Lock files are never deleted: a deleted one could be locked twice.
struct StateDirectory {
    let path: String

    /// Opens a store in the first free slot.
    /// - Returns: The store, and what was found that somebody should know.
    func openStore() throws(EventStoreError) -> (store: SQLiteEventStore, warnings: [String]) {
        var warnings: [String] = []
        do throws(FileError) {
            try StandardDirectory.create(path)
        } catch {
            throw EventStoreError(code: .unavailable, reason: error.description)
        }
        var slot = 0
        while true {
            if let lock = try lock(slot) {
                let store = try open(slot, lock, &warnings)
                adoptSlots(except: slot, into: store, &warnings)
                return (store, warnings)
            }
            slot += 1
        }
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
            let aside = "\(file).corrupt"
            for suffix in ["", "-wal", "-shm"] { rename(file + suffix, aside + suffix) }
            warnings.append("\(file) is damaged and was set aside as \(aside); \(error.reason)")
            return try SQLiteEventStore(path: file, lock: lock)
        }
    }

    private func adoptSlots(except own: Int, into store: SQLiteEventStore, _ warnings: inout [String]) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where name.hasPrefix("events-") && name.hasSuffix(".sqlite") {
            guard let slot = Int(name.dropFirst(7).dropLast(7)), slot != own else { continue }
            do throws(EventStoreError) {
                guard let lock = try lock(slot) else { continue }
                try open(slot, lock, &warnings).moveEvents(to: store)
            } catch {
                warnings.append("the events of \(path)/\(name) could not be taken over: \(error.reason)")
            }
        }
    }
}
