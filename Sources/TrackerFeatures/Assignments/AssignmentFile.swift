import FoundationEssentials
import TrackerPlatform

/// The assignments of a service, in a file that all processes of a state directory share.
///
/// Lookups run on the evaluating thread, over a separate connection that does not wait for other processes. A lock
/// protects that connection; it is held for one indexed lookup and never for a write. All other work runs on the file's
/// own thread.
package actor AssignmentFile: LocalAssignmentStore {
    private static let schemaVersion: Int64 = 3
    /// The number of rows to delete in one transaction, so that other processes do not wait long.
    private static let rowsPerDeletion = 10_000
    /// The pause between two attempts to replace a damaged file.
    private static let pauseAfterRepair = Duration.seconds(5)

    private nonisolated let thread = ThreadExecutor(name: "tracker-sticky")
    private let path: String
    private let limit: Int
    private let time: any TimeSource
    private let log: Log
    private let evicted: @Sendable (Int) -> Void
    private let lookup: Locked<SQLiteStatement?>
    private var database: SQLiteDatabase?
    /// The number of assignments saved since the rows were last counted; nil if they never were.
    private var uncounted: Int?
    private var nextRepair = Duration.zero

    /// A warning about the opened file; nil if there is none.
    nonisolated let warning: String?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Opens the file, and creates it if it is missing; a damaged file is set aside.
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limit: The approximate maximum number of assignments; the oldest are removed first.
    ///   - time: The clock.
    ///   - log: The log for later problems of the file.
    ///   - evicted: Receives the number of assignments removed because of the limit.
    /// - Throws: If it cannot be opened.
    package init(
        path: String, limit: Int = 1_000_000, time: any TimeSource, log: Log,
        evicted: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(EventStoreError) {
        (self.path, self.limit, self.time, self.log, self.evicted) = (path, max(1, limit), time, log, evicted)
        let opened = try Self.open(path, isThorough: false)
        (database, warning) = opened
        lookup = Locked(try Self.selection(in: SQLiteDatabase(path: path, patience: 0)))
    }

    package nonisolated func storedAssignments(of unit: ExperimentUnit) throws -> [StickyAssignment]? {
        try lookup.withLock { statement throws(EventStoreError) in
            guard let statement else { throw EventStoreError(.unavailable, reason: "\(path) is being replaced") }
            do throws(EventStoreError) {
                return try Self.assignments(of: unit, statement)
            } catch  where error.code == .busy {
                return nil
            }
        }
    }

    package func assignments(of unit: ExperimentUnit) throws -> [StickyAssignment] {
        try run { database throws(EventStoreError) in
            try Self.assignments(of: unit, Self.selection(in: database))
        }
    }

    package func save(_ assignments: [StickyAssignment]) throws -> [StickyAssignment] {
        let others = try run { database throws(EventStoreError) in
            try database.transaction { () throws(EventStoreError) in try Self.save(assignments, in: database) }
        }
        do throws(EventStoreError) {
            try removeOldest(saved: assignments.count)
        } catch {
            // The assignments were saved, so the failure is only logged.
            log.warning("the oldest assignments in \(path) cannot be removed: \(error.reason)")
        }
        return others
    }

    package func forget(_ unit: ExperimentUnit) throws -> Int {
        try run { database throws(EventStoreError) in
            try database.prepare("DELETE FROM assignments WHERE unit = ? AND id = ?").bind(unit).run()
            return database.changes
        }
    }

    /// Removes the oldest assignments if there are too many. Counting reads every row, so it is done only after a
    /// hundredth of the limit was saved.
    private func removeOldest(saved: Int) throws(EventStoreError) {
        if let uncounted, uncounted + saved < max(1, limit / 100) {
            self.uncounted = uncounted + saved
            return
        }
        guard let database else { return }
        uncounted = 0
        let excess = Int(try database.prepare("SELECT count(*) FROM assignments").number() ?? 0) - limit
        guard excess > 0 else { return }
        // Find the newest assignment to remove without blocking the writes of other processes.
        let boundary = try database.prepare("SELECT time FROM assignments ORDER BY time LIMIT 1 OFFSET ?")
            .bind(1, Int64(excess - 1)).number()
        var removed = 0
        defer { if removed > 0 { evicted(removed) } }
        while removed < excess, let boundary {
            let rows = min(Self.rowsPerDeletion, excess - removed)
            try database.prepare(
                """
                DELETE FROM assignments WHERE (unit, id, experiment) IN
                (SELECT unit, id, experiment FROM assignments WHERE time <= ? ORDER BY time LIMIT \(rows))
                """
            ).bind(1, boundary).run()
            guard database.changes > 0 else { return }
            removed += database.changes
        }
    }

    /// Runs `body`, and repeats it with a new file if the current one is damaged.
    private func run<Result>(
        _ body: (SQLiteDatabase) throws(EventStoreError) -> Result
    ) throws(EventStoreError) -> Result {
        do throws(EventStoreError) {
            if let database { return try body(database) }
            return try body(reopen(isThorough: false))
        } catch  where error.code == .corrupt && time.uptime >= nextRepair {
            nextRepair = time.uptime + Self.pauseAfterRepair
            do throws(EventStoreError) {
                return try body(reopen(isThorough: true))
            } catch {
                log.error("the damaged file of assignments \(path) cannot be replaced: \(error.reason)")
                throw error
            }
        }
    }

    private func reopen(isThorough: Bool) throws(EventStoreError) -> SQLiteDatabase {
        // Close it first: a connection that is closed later would remove the log of the new file.
        database = nil
        lookup.discard { statement in
            defer { statement = nil }
            return statement
        }
        let (opened, warning) = try Self.open(path, isThorough: isThorough)
        let selection = try Self.selection(in: SQLiteDatabase(path: path, patience: 0))
        lookup.withLock { $0 = selection }
        database = opened
        if let warning { log.warning(warning) }
        return opened
    }
}

extension AssignmentFile {
    private static func selection(in database: SQLiteDatabase) throws(EventStoreError) -> SQLiteStatement {
        try database.prepare("SELECT experiment, variant, time FROM assignments WHERE unit = ? AND id = ?")
    }

    private static func assignments(
        of unit: ExperimentUnit, _ selection: SQLiteStatement
    ) throws(EventStoreError) -> [StickyAssignment] {
        var assignments: [StickyAssignment] = []
        try selection.bind(unit).forEachRow { row in
            assignments.append(
                StickyAssignment(
                    unit: unit, experiment: row.text(0), variant: row.text(1), date: Date(milliseconds: row.int64(2))))
        }
        return assignments
    }

    /// Stores assignments. Another stored variant stays, unless the assignment replaces it.
    /// - Returns: The stored assignments that stayed in place of given ones.
    private static func save(
        _ assignments: [StickyAssignment], in database: SQLiteDatabase
    ) throws(EventStoreError) -> [StickyAssignment] {
        let insert = "INSERT INTO assignments (unit, id, experiment, variant, time) VALUES (?, ?, ?, ?, ?)"
        let add = try database.prepare("\(insert) ON CONFLICT DO NOTHING")
        let replace = try database.prepare(
            """
            \(insert)
            ON CONFLICT DO UPDATE SET variant = excluded.variant, time = excluded.time WHERE variant = ?
            """)
        let selection = try selection(in: database)
        var others: [StickyAssignment] = []
        for new in assignments {
            let statement = new.replaced == nil ? add : replace
            try statement.bind(new.unit).bind(3, new.experiment).bind(4, new.variant).bind(5, new.date.milliseconds)
            if let replaced = new.replaced { try statement.bind(6, replaced) }
            try statement.run()
            if database.changes > 0 { continue }
            let stored = try Self.assignments(of: new.unit, selection)
            if let other = stored.assignment(of: new.experiment) { others.append(other) }
        }
        return others
    }

    /// Opens the file. A damaged file is set aside first, unless another process does so.
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - isThorough: Whether to read the whole file to detect damage.
    /// - Throws: If no file can be opened.
    /// - Returns: A connection for writing, and a sentence if a file was set aside.
    private static func open(
        _ path: String, isThorough: Bool
    ) throws(EventStoreError) -> (database: SQLiteDatabase, warning: String?) {
        // Only one process at a time, so that two processes do not set each other's new file aside.
        let lock: FileLock?
        do throws(FileError) {
            try StandardDirectory.create(StandardDirectory.parent(of: path))
            lock = try FileLock.waiting(path: "\(path).lock", atMost: .seconds(5))
        } catch {
            throw EventStoreError(.unavailable, reason: error.description, cause: error)
        }
        defer { withExtendedLifetime(lock) {} }
        do throws(EventStoreError) {
            let database = try connect(path)
            let isUsable = isThorough ? try isSound(database) : true
            if isUsable { return (database, nil) }
        } catch  where error.code == .corrupt {
        }
        let aside = "\(path).corrupt"
        for suffix in ["", "-wal", "-shm"] { rename(path + suffix, aside + suffix) }
        return (try connect(path), "\(path) is damaged and was set aside as \(aside); units are given variants anew")
    }

    private static func connect(_ path: String) throws(EventStoreError) -> SQLiteDatabase {
        // Created here rather than by SQLite, so that only this user can read it. An existing file is not opened,
        // because closing it would release the locks of another setup in this process.
        let descriptor = TrackerPlatform.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor >= 0 { close(descriptor) }
        let database = try SQLiteDatabase(path: path)
        // With NORMAL, a commit survives a crash of the process; a power failure may undo the newest ones.
        try database.execute(
            """
            PRAGMA synchronous = NORMAL;
            PRAGMA secure_delete = ON;
            PRAGMA journal_mode = WAL;
            PRAGMA journal_size_limit = 4194304;
            """)
        let version = try database.prepare("PRAGMA user_version").number() ?? 0
        guard version <= schemaVersion else {
            throw EventStoreError(
                .unavailable, reason: "\(path) was written by a newer version of this SDK (schema \(version))")
        }
        guard version < schemaVersion else { return database }
        try database.execute(
            """
            BEGIN IMMEDIATE;
            CREATE TABLE IF NOT EXISTS assignments (
                unit TEXT NOT NULL, id TEXT NOT NULL, experiment TEXT NOT NULL, variant TEXT NOT NULL,
                time INTEGER NOT NULL, PRIMARY KEY (unit, id, experiment)
            ) WITHOUT ROWID;
            PRAGMA user_version = \(schemaVersion);
            COMMIT;
            """)
        return database
    }

    private static func isSound(_ database: SQLiteDatabase) throws(EventStoreError) -> Bool {
        var answer = ""
        try database.prepare("PRAGMA quick_check(1)").forEachRow { answer = $0.text(0) }
        return answer == "ok"
    }
}

extension SQLiteStatement {
    /// Binds a unit to the first two parameters.
    @discardableResult
    fileprivate func bind(_ unit: ExperimentUnit) throws(EventStoreError) -> Self {
        try bind(1, unit.name).bind(2, unit.id)
    }
}
