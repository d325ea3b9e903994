import FoundationEssentials
import Glibc

/// The file of assignments: opens it, and replaces a damaged one, while other processes do the same.
struct AssignmentFile: Sendable {
    let path: String
    let time: any TimeSource

    /// Opens the file, and sets it aside first if it is damaged.
    /// - Parameter isThorough: Whether to read all of it to find out.
    /// - Throws: If no file can be opened.
    /// - Returns: A connection that can write, and what was done as a sentence if something was.
    func open(isThorough: Bool) throws(EventStoreError) -> (database: AssignmentDatabase, warning: String?) {
        // One at a time: two processes that found the damage must not set each other's new file aside.
        let lock = try self.lock()
        defer { withExtendedLifetime(lock) {} }
        do throws(EventStoreError) {
            let database = try connect()
            if !isThorough || database.isSound { return (database, nil) }
        } catch  where error.code == .corrupt {
        }
        let aside = "\(path).corrupt"
        for suffix in ["", "-wal", "-shm"] { rename(path + suffix, aside + suffix) }
        return (try connect(), "\(path) is damaged and was set aside as \(aside); units are given variants anew")
    }

    private func lock() throws(EventStoreError) -> FileLock? {
        do throws(FileError) {
            try StandardDirectory.create(StandardDirectory.parent(of: path))
            return try FileLock.waiting(path: "\(path).lock", atMost: .seconds(5))
        } catch {
            throw EventStoreError(.unavailable, reason: error.description, cause: error)
        }
    }

    private func connect() throws(EventStoreError) -> AssignmentDatabase {
        try AssignmentDatabase(path: path, now: time.now)
    }
}
