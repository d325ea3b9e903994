import FoundationEssentials
import Glibc

extension StateDirectory {
    /// Sets a damaged database aside and opens a new one in its place.
    ///
    /// The new one is made and proved to be usable first, so that on a full disk everything stays as it was; the old one
    /// gets a name that no other file has, and its own name back if the new one cannot be opened.
    /// - Parameters:
    ///   - file: The database. A connection of this process may still have it open, and is useless after a success.
    ///   - lock: The lock of its slot.
    /// - Returns: The new store, which is empty.
    /// - Throws: If there is no new store; the damaged one is where it was then.
    func replace(_ file: String, _ lock: FileLock) throws(EventStoreError) -> SQLiteEventStore {
        let unique = "\(Int(Date().timeIntervalSince1970))-\(String(UInt32.random(in: 0...UInt32.max), radix: 16))"
        let fresh = "\(file).new-\(unique)"
        let aside = "\(file).damaged-\(unique)"
        defer { for suffix in ["", "-wal"] { unlink(fresh + suffix) } }
        try make(fresh, lock)
        try move(file, to: aside)
        defer { StandardDirectory.sync(path) }
        do throws(EventStoreError) {
            try move(fresh, to: file)
            return try SQLiteEventStore(path: file, lock: lock)
        } catch {
            for suffix in ["", "-wal"] { unlink(file + suffix) }
            try move(aside, to: file)
            throw error
        }
    }

    /// Replaces the damaged database of a free slot.
    /// - Parameter slot: The slot.
    /// - Returns: Whether the slot is still free.
    /// - Throws: If there is no new store; the damaged one is where it was then.
    func replaceAbandoned(_ slot: Int) throws(EventStoreError) -> Bool {
        guard let lock = try lock(slot) else { return false }
        _ = try replace(file(slot), lock)
        return true
    }

    /// The sentence on a database that was replaced.
    static func replaced(_ file: String, _ error: EventStoreError) -> String {
        "\(file) is damaged and was replaced: \(error.reason)"
    }

    /// Makes an empty database and closes it: a database must not be moved while it is open.
    private func make(_ file: String, _ lock: FileLock) throws(EventStoreError) {
        try SQLiteEventStore(path: file, lock: lock).close()
    }

    /// Moves a database with its journal.
    private func move(_ file: String, to target: String) throws(EventStoreError) {
        for suffix in ["", "-wal", "-shm"] where FileIdentity(file + suffix) != nil {
            guard rename(file + suffix, target + suffix) == 0 else {
                let failure = FileError(.rename, path: file + suffix)
                throw EventStoreError(.unavailable, reason: failure.description)
            }
        }
    }

    /// Salvages what is left of damaged databases of a slot into the slot's store.
    ///
    /// A file of which nothing was lost is deleted; of another, what cannot be read stays beside the store under a name
    /// that ends in `.unreadable-…`, for a person to look at.
    /// - Parameters:
    ///   - slot: The slot, whose lock this process has.
    ///   - store: The slot's store.
    ///   - own: The slot that is this process's own; nil while it has none.
    /// - Returns: For each file a report, nil if the store cannot take its events now, and a sentence.
    func salvage(
        _ slot: Int, into store: SQLiteEventStore, own: OwnSlot?
    ) -> [(report: EventSalvage.Report?, sentence: String)] {
        // A directory that cannot be read has been reported where the slots were looked for.
        let names = (try? Self.names(in: path)) ?? []
        // Of a process that died while it made a new database.
        for name in names where name.hasPrefix("events-\(slot).sqlite.new-") { unlink("\(path)/\(name)") }
        return leftovers(of: slot, among: names).map { file in
            let name = String(file[(file.lastIndex(of: "/").map(file.index(after:)) ?? file.startIndex)...])
            do throws(EventStoreError) {
                let report = try salvage(file, as: name, of: slot, into: store, own: own)
                return (report, finish(file, report, of: slot))
            } catch {
                return (nil, "\(file) could not be salvaged and is tried again: \(error.reason)")
            }
        }
    }

    /// The damaged databases of a slot that were set aside and not salvaged yet.
    func leftovers(of slot: Int) -> [String] {
        // A directory that cannot be read has been reported where the slots were looked for.
        leftovers(of: slot, among: (try? Self.names(in: path)) ?? [])
    }

    private func leftovers(of slot: Int, among names: [String]) -> [String] {
        let own = "events-\(slot).sqlite"
        return names.filter { $0.hasPrefix(own) && $0 != own && Self.slot($0) == slot }.sorted().map { "\(path)/\($0)" }
    }

    private func finish(_ file: String, _ report: EventSalvage.Report, of slot: Int) -> String {
        let saved =
            report.isGivenUp
            ? "the salvage of \(file) did not end \(EventSalvage.maxAttempts) times, so that it is not begun again"
            : "\(report.savedCount) events of \(file) were salvaged"
        if report.isComplete {
            for suffix in ["", "-wal", "-shm"] { unlink(file + suffix) }
            return "\(saved), none was lost"
        }
        let kept = file.replacing(".damaged-", with: ".unreadable-")
        for suffix in ["", "-wal", "-shm"] { rename(file + suffix, kept + suffix) }
        removeOldRemains(of: slot)
        if report.isGivenUp { return "\(saved); what is left of it is in \(kept)" }
        let more = report.hasUnknownLoss ? "at least " : ""
        let lost = report.lostCount == 0 ? "an unknown number" : "\(more)\(report.lostCount)"
        return "\(saved), \(lost) were lost; what is left of it is in \(kept)"
    }

    /// Removes all but the last remains of a slot's databases, so that a disk that fails repeatedly is not filled.
    private func removeOldRemains(of slot: Int) {
        // If the directory cannot be read, they are removed after the next damage.
        let remains = ((try? Self.names(in: path)) ?? []).filter { name in
            name.hasPrefix("events-\(slot).sqlite.unreadable-") && !name.hasSuffix("-wal") && !name.hasSuffix("-shm")
        }
        // Their names have the time.
        for name in remains.sorted().dropLast(Self.maxRemains) {
            for suffix in ["", "-wal", "-shm"] { unlink("\(path)/\(name)\(suffix)") }
        }
    }

    /// Deletes a slot's database that has nothing any more, under its lock.
    func remove(_ abandoned: Abandoned) {
        // What was in it is in the database, which goes last.
        unlink(StagingFile.path(abandoned.slot, in: path))
        let file = file(abandoned.slot)
        for suffix in ["", "-wal", "-shm"] { unlink(file + suffix) }
    }
}
