import FoundationEssentials
import Glibc

/// The files of assignments of earlier releases, which had one for each URL of a document.
///
/// Their rows move to the file of the service when it is opened, and the files are removed. A file that a process with an
/// earlier release has open stays, with its rows, until a later start finds it free: what that process stores meanwhile is
/// taken over then, where the service has nothing of its own.
struct FormerAssignments: Sendable {
    private static let prefix = "assignments-"
    private static let suffix = ".sqlite"
    /// So many rows are added in one transaction, so that other processes need not wait long.
    private static let rowsPerTransaction = 10_000
    /// Another process takes some seconds for a file of a million rows. If it takes longer, the next start tries again.
    private static let longestWait = Duration.seconds(5)

    /// The directory of the files.
    let directory: String

    /// Whether there are any.
    var exist: Bool { !documents.isEmpty }

    /// What the names of the files have of their documents' URLs: the hash, see ``StableHash/hex``.
    private var documents: [String] {
        // A directory that cannot be listed has no files that could be opened.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(Self.suffix) }
            .map { String($0.dropFirst(Self.prefix.count).dropLast(Self.suffix.count)) }
            .filter { $0.utf8.count == 16 && $0.allSatisfy(\.isHexDigit) }.sorted()
    }

    private func path(_ document: String) -> String { "\(directory)/\(Self.prefix)\(document)\(Self.suffix)" }

    /// Moves the rows of all files to the file of the service. A process that ends on the way does no harm: the next one
    /// begins again.
    /// - Parameters:
    ///   - database: The file of the service.
    ///   - log: Gets what is moved.
    ///   - now: The time that assignments without one get.
    /// - Returns: What could not be moved, as sentences.
    func move(to database: AssignmentDatabase, log: Log, at now: Date) -> [String] {
        documents.compactMap { document -> String? in
            do throws(EventStoreError) {
                return try alone(with: document) { (path) throws(EventStoreError) -> String? in
                    do throws(EventStoreError) {
                        try move(path, of: document, to: database, log, now)
                        return nil
                    } catch  where error.code == .corrupt {
                        let aside = "\(path).corrupt"
                        for suffix in ["", "-wal", "-shm"] { rename(path + suffix, aside + suffix) }
                        return "\(path) is damaged and was set aside as \(aside); its units may be given variants anew"
                    }
                } ?? nil
            } catch {
                return
                    "the assignments in \(path(document)) cannot be read; the next start tries again: \(error.reason)"
            }
        }
    }

    /// Removes all assignments of a unit. To be called before the unit is forgotten in the file of the service, so that no
    /// process moves them in between.
    /// - Parameter unit: The unit.
    /// - Returns: The number of assignments that were removed, and why a file could not be read or written; nil if all could.
    func forget(_ unit: ExperimentUnit) -> (count: Int, fault: EventStoreError?) {
        var (count, fault): (Int, EventStoreError?) = (0, nil)
        for document in documents {
            do throws(EventStoreError) {
                count += try forget(unit, in: document)
            } catch {
                // Not `corrupt`, which would be of the service's file.
                let reason = "\(path(document)): \(error.reason)"
                if fault == nil { fault = EventStoreError(.failed, reason: reason, cause: error) }
            }
        }
        return (count, fault)
    }

    private func forget(_ unit: ExperimentUnit, in document: String) throws(EventStoreError) -> Int {
        try alone(with: document) { (path) throws(EventStoreError) -> Int in
            let database = try SQLiteDatabase(path: path)
            try database.execute("PRAGMA secure_delete = ON")
            guard try Self.hasRows(database) else { return 0 }
            try database.prepare("DELETE FROM assignments WHERE unit = ? AND id = ?")
                .bind(1, unit.name).bind(2, unit.id).run()
            return database.changes
        } ?? 0
    }

    /// Runs `body` while no other process of this release, and none that opens the file, is at it.
    /// - Returns: nil if the file is gone.
    private func alone<Result>(
        with document: String, _ body: (String) throws(EventStoreError) -> Result
    ) throws(EventStoreError) -> Result? {
        let path = path(document)
        let lock: FileLock?
        do throws(FileError) {
            lock = try FileLock.waiting(path: "\(path).lock", atMost: Self.longestWait)
        } catch {
            throw EventStoreError(.unavailable, reason: error.description, cause: error)
        }
        defer { withExtendedLifetime(lock) {} }
        guard access(path, F_OK) == 0 else {
            unlink("\(path).lock")
            return nil
        }
        return try body(path)
    }

    private func move(
        _ path: String, of document: String, to database: AssignmentDatabase, _ log: Log, _ now: Date
    ) throws(EventStoreError) {
        // The rows must be on the disk before their file is gone.
        try ours { () throws(EventStoreError) in try database.database.execute("PRAGMA synchronous = FULL") }
        // Else each later write waits for the disk, which does no harm.
        defer { try? database.database.execute("PRAGMA synchronous = NORMAL") }
        let former = try SQLiteDatabase(path: path)
        // A busy file answers at once: the start does not wait for the end of another process.
        try former.execute("PRAGMA busy_timeout = 0")
        // Later, a row here may have replaced one of the file.
        let isFirst = try ours { () throws(EventStoreError) in try !database.hasTaken(document) }
        // What a process of an earlier release adds meanwhile is taken over once it has ended.
        guard isFirst || Self.isFree(former) else { return }
        let count = try Self.hasRows(former) ? copy(former, of: document, to: database, isFirst, now) : 0
        try ours { () throws(EventStoreError) in try database.noteTaken(document) }
        guard Self.isFree(former) else {
            log.info("\(count) assignments of \(path) are copied; a process of an earlier release still uses the file")
            return
        }
        for suffix in ["-wal", "-shm", "", ".lock"] { unlink(path + suffix) }
        log.info("\(count) assignments of \(path), a file of an earlier release, were taken over")
    }

    /// Whether a process left more than an empty file.
    private static func hasRows(_ former: SQLiteDatabase) throws(EventStoreError) -> Bool {
        try former.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'assignments'").number() == 1
    }

    /// Whether no other process has the file open: only then can its journal be given up.
    private static func isFree(_ former: SQLiteDatabase) -> Bool {
        var mode = ""
        do throws(EventStoreError) {
            try former.prepare("PRAGMA journal_mode = DELETE").forEachRow { mode = $0.text(0) }
        } catch {
            return false
        }
        return mode == "delete"
    }

    /// Runs `body` on the file of the service, whose damage is not that of the former file.
    private func ours<Result>(_ body: () throws(EventStoreError) -> Result) throws(EventStoreError) -> Result {
        do throws(EventStoreError) {
            return try body()
        } catch {
            throw EventStoreError(.failed, reason: "the rows cannot be added: \(error.reason)", cause: error)
        }
    }

    private func copy(
        _ former: SQLiteDatabase, of document: String, to database: AssignmentDatabase, _ isFirst: Bool, _ now: Date
    ) throws(EventStoreError) -> Int {
        // Files of the first schema have no times.
        let columns = try former.prepare("SELECT count(*) FROM pragma_table_info('assignments')").number() ?? 0
        let time = columns == 4 ? "\(now.milliseconds)" : "time"
        let rows = try former.prepare("SELECT experiment, unit, id, variant, \(time) FROM assignments")
        var (count, part): (Int, [StickyAssignment]) = (0, [])
        var failure: EventStoreError?
        func add() -> Bool {
            do throws(EventStoreError) {
                try database.add(part, of: document, keepsEarlier: isFirst, at: now)
            } catch {
                failure = error
            }
            count += part.count
            part = []
            return failure == nil
        }
        try rows.forEachRow { row in
            let unit = ExperimentUnit(name: row.text(1), id: row.text(2))
            let assignment = StickyAssignment(
                unit: unit, experiment: row.text(0), variant: row.text(3), date: Date(milliseconds: row.int64(4)))
            part.append(assignment)
            return part.count < Self.rowsPerTransaction || add()
        }
        if failure == nil { _ = add() }
        if let failure { try ours { () throws(EventStoreError) in throw failure } }
        return count
    }
}
