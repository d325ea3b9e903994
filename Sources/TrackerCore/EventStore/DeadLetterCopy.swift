import FoundationEssentials
import Glibc

/// A copy of the file that a running process has open: only one connection at a time can open the file itself.
enum DeadLetterCopy {
    private static let maxAttempts = 5

    /// Copies the file of a slot, and removes the copy when `body` ends.
    /// - Parameters:
    ///   - slot: The slot.
    ///   - directory: The directory of the slot.
    ///   - body: Gets the copy.
    /// - Throws: What `body` throws, and if the file cannot be copied.
    static func withCopy(
        of slot: Int, in directory: String, _ body: (SQLiteEventStore) throws(EventStoreError) -> Void
    ) throws(EventStoreError) {
        let target = FileManager.default.temporaryDirectory.path + "/tracker-config-" + UUID().uuidString
        // A copy that cannot be removed is in the directory for temporary files.
        defer { try? FileManager.default.removeItem(atPath: target) }
        let store: SQLiteEventStore
        do {
            // For this user only, as the file itself.
            try StandardDirectory.create(target)
            try copy(slot, from: directory, to: target)
            guard let lock = try FileLock(path: "\(target)/events-\(slot).lock") else { return }
            store = try SQLiteEventStore(path: StateDirectory.file(slot, in: target), lock: lock)
        } catch let error as EventStoreError {
            throw error
        } catch {
            throw EventStoreError(.unavailable, reason: "it cannot be copied: \(error)", cause: error)
        }
        try body(store)
    }

    /// Copies a database with its journal. The journal completes the database as it was before; if the process writes to
    /// the database meanwhile, both are copied again.
    private static func copy(_ slot: Int, from directory: String, to target: String) throws {
        let (file, copy) = (StateDirectory.file(slot, in: directory), StateDirectory.file(slot, in: target))
        for attempt in 1...maxAttempts {
            for suffix in ["", "-wal"] { unlink(copy + suffix) }
            let before = FileStamp(file, followsLinks: false)
            for suffix in ["", "-wal"] where FileIdentity(file + suffix) != nil {
                try FileManager.default.copyItem(atPath: file + suffix, toPath: copy + suffix)
            }
            if before == FileStamp(file, followsLinks: false) { return }
            guard attempt < maxAttempts else { break }
        }
        throw EventStoreError(.failed, reason: "it is being written; try again")
    }
}
