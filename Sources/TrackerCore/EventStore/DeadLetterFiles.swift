import FoundationEssentials
import Glibc

/// The dead letters in a service's state directory, for tools.
///
/// The file of a process that has ended is used under its lock. The file of a running process is read from a copy, and what
/// is to change in it is left to that process. Each function goes on with the next file if one cannot be used.
package struct DeadLetterFiles {
    let directory: String

    /// Names a directory.
    /// - Parameter directory: The service's own directory of unsent events.
    /// - Throws: If it cannot be read.
    package init(directory: String) throws(FileError) {
        self.directory = directory
        // A missing directory would have no files, and its name may be mistyped.
        guard !directory.isEmpty, access(directory, R_OK | X_OK) == 0 else {
            throw directory.isEmpty
                ? FileError(.open, path: "''", errorNumber: ENOENT) : FileError(.open, path: directory)
        }
    }

    /// Whether the directory belongs to this process's user. Files that another user makes in it are of no use to the
    /// service, which cannot read them.
    package var isOwn: Bool {
        var information = stat()
        return stat(directory, &information) == 0 && information.st_uid == geteuid()
    }

    /// Calls `body` with dead letters, file by file, the oldest of each first.
    /// - Returns: Why files could not be read, a sentence each.
    package func forEach(_ filter: DeadLetter.Filter, _ body: (DeadLetter) -> Void) -> [String] {
        forEachFile { (store, _) throws(EventStoreError) in
            var last: Int64 = 0
            while true {
                let letters = try store.deadLetters(filter, after: last)
                guard let next = letters.last?.id else { return }
                letters.forEach(body)
                last = next
            }
        }
    }

    /// Puts dead letters back into the queues that they came from. The next process of the service sends them; a running
    /// process does within a minute.
    /// - Returns: How many are in a queue, how many running processes were asked, and why files could not be changed.
    package func requeue(_ filter: DeadLetter.Filter) -> (count: Int, processes: Int, failures: [String]) {
        var (count, processes) = (0, 0)
        let failures = forEachFile { (store, slotInUse) throws(EventStoreError) in
            guard let slot = slotInUse else {
                let requeued = try store.requeue(filter, at: SystemTime().wallTime)
                count += requeued.values.reduce(0) { $0 + $1.events }
                return
            }
            guard try !store.deadLetters(filter).isEmpty else { return }
            do throws(FileError) {
                try StateDirectory.requestResend(filter, of: slot, in: directory)
                processes += 1
            } catch {
                throw EventStoreError(.unavailable, reason: error.description, cause: error)
            }
        }
        return (count, processes, failures)
    }

    /// Runs `body` with each file.
    private func forEachFile(
        _ body: (SQLiteEventStore, _ slotInUse: Int?) throws(EventStoreError) -> Void
    ) -> [String] {
        var failures: [String] = []
        for slot in slots(&failures) {
            do throws(EventStoreError) {
                if let store = try free(slot) {
                    defer { store.close() }
                    try body(store, nil)
                } else {
                    try DeadLetterCopy.withCopy(of: slot, in: directory) { store throws(EventStoreError) in
                        try body(store, slot)
                    }
                }
            } catch {
                failures.append("\(StateDirectory.file(slot, in: directory)): \(error.reason)")
            }
        }
        return failures
    }

    /// The slots that have a file.
    func slots(_ failures: inout [String]) -> [Int] {
        do throws(FileError) {
            let names = try StateDirectory.names(in: directory)
            return names.filter { $0.hasSuffix(".sqlite") }.compactMap(StateDirectory.slot).sorted()
        } catch {
            failures.append(error.description)
            return []
        }
    }

    /// The file of a slot without a running process, which is locked while it is used; nil if a process has it.
    func free(_ slot: Int) throws(EventStoreError) -> SQLiteEventStore? {
        let lock: FileLock?
        do throws(FileError) {
            lock = try FileLock(path: "\(directory)/events-\(slot).lock")
        } catch {
            throw EventStoreError(.unavailable, reason: error.description, cause: error)
        }
        guard let lock else { return nil }
        return try SQLiteEventStore(path: StateDirectory.file(slot, in: directory), lock: lock)
    }
}
