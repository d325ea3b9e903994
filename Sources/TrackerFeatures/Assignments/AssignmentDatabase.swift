import FoundationEssentials
import Glibc

/// A connection to the file of a service's assignments, for one thread at a time.
///
/// Documents of one service share the rows. Which experiments each of them has stands in a table of its own, see
/// ``retain(_:for:at:)``.
final class AssignmentDatabase {
    private static let schemaVersion: Int64 = 2
    /// So many rows are deleted in one transaction, so that other processes need not wait long.
    private static let rowsPerDeletion = 10_000

    let database: SQLiteDatabase
    private let select: SQLiteStatement

    /// Opens a file that exists, for reading.
    /// - Parameter path: The file.
    /// - Throws: If it cannot be opened or is damaged.
    init(path: String) throws(EventStoreError) {
        database = try SQLiteDatabase(path: path)
        select = try Self.selection(in: database)
    }

    /// Opens a file for writing, and creates it or migrates it to the present schema if necessary.
    /// - Parameters:
    ///   - path: The file.
    ///   - now: The time that rows without one get.
    /// - Throws: If it cannot be opened, is damaged or was written by a newer version of the SDK.
    init(path: String, now: Date) throws(EventStoreError) {
        // Made here and not by SQLite, so that only this user can read what is in it. A file that is there is not opened: to
        // close it would release the locks that another setup of this process has on it.
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor >= 0 { Glibc.close(descriptor) }
        database = try SQLiteDatabase(path: path)
        // With NORMAL a commit survives the death of the process; a power failure may undo the newest.
        try database.execute(
            """
            PRAGMA synchronous = NORMAL;
            PRAGMA secure_delete = ON;
            PRAGMA journal_mode = WAL;
            PRAGMA journal_size_limit = 4194304;
            """)
        let version = try database.prepare("PRAGMA user_version").number() ?? 0
        guard version <= Self.schemaVersion else {
            throw EventStoreError(
                .unavailable, reason: "\(path) was written by a newer version of this SDK (schema \(version))")
        }
        if version != Self.schemaVersion { try Self.migrate(database, now) }
        select = try Self.selection(in: database)
    }

    private static func selection(in database: SQLiteDatabase) throws(EventStoreError) -> SQLiteStatement {
        try database.prepare("SELECT variant, time FROM assignments WHERE experiment = ? AND unit = ? AND id = ?")
    }

    private static func migrate(_ database: SQLiteDatabase, _ now: Date) throws(EventStoreError) {
        try database.transaction { () throws(EventStoreError) in
            try database.execute(
                """
                CREATE TABLE IF NOT EXISTS assignments (
                    experiment TEXT NOT NULL, unit TEXT NOT NULL, id TEXT NOT NULL, variant TEXT NOT NULL,
                    PRIMARY KEY (experiment, unit, id)
                ) WITHOUT ROWID;
                CREATE TABLE IF NOT EXISTS documents (
                    document TEXT NOT NULL, experiment TEXT NOT NULL, time INTEGER NOT NULL,
                    PRIMARY KEY (document, experiment)
                ) WITHOUT ROWID;
                CREATE INDEX IF NOT EXISTS documents_by_experiment ON documents (experiment);
                CREATE TABLE IF NOT EXISTS taken (document TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID;
                """)
            let columns = try database.prepare("SELECT count(*) FROM pragma_table_info('assignments')").number()
            if columns == 4 {
                // A default costs nothing for each row, however many there are.
                try database.execute(
                    "ALTER TABLE assignments ADD COLUMN time INTEGER NOT NULL DEFAULT \(now.milliseconds)")
            }
            try database.execute("PRAGMA user_version = \(schemaVersion)")
        }
    }

    /// The assignment of a unit; nil if none is stored.
    func assignment(
        of experiment: String, for unit: ExperimentUnit
    ) throws(EventStoreError) -> StickyAssignment? {
        var assignment: StickyAssignment?
        try select.bind(1, experiment).bind(2, unit.name).bind(3, unit.id).forEachRow { row in
            assignment = StickyAssignment(
                unit: unit, experiment: experiment, variant: row.text(0), date: Date(milliseconds: row.int64(1)))
        }
        return assignment
    }

    /// All assignments of a unit.
    func assignments(of unit: ExperimentUnit) throws(EventStoreError) -> [StickyAssignment] {
        var assignments: [StickyAssignment] = []
        for experiment in try experiments() {
            if let assignment = try assignment(of: experiment, for: unit) { assignments.append(assignment) }
        }
        return assignments
    }

    /// Stores all assignments or none. A stored variant stays unless it is the one to replace.
    /// - Parameters:
    ///   - assignments: The assignments.
    ///   - document: The document that they are of.
    ///   - now: The present.
    /// - Throws: If they cannot be stored.
    /// - Returns: What is stored in the place of given ones, because another process was first.
    func save(
        _ assignments: [StickyAssignment], for document: String, at now: Date
    ) throws(EventStoreError) -> [StickyAssignment] {
        let columns = "INSERT INTO assignments (experiment, unit, id, variant, time) VALUES (?, ?, ?, ?, ?)"
        let insert = try database.prepare("\(columns) ON CONFLICT DO NOTHING")
        let replace = try database.prepare(
            """
            \(columns)
            ON CONFLICT DO UPDATE SET variant = excluded.variant, time = excluded.time WHERE variant = ?
            """)
        return try database.transaction { () throws(EventStoreError) in
            var others: [StickyAssignment] = []
            try claim(Set(assignments.map { ExactText($0.experiment) }), for: document, at: now)
            try touch(document, at: now)
            for assignment in assignments {
                let statement = assignment.replaced == nil ? insert : replace
                try statement.bind(assignment)
                if let replaced = assignment.replaced { try statement.bind(6, replaced) }
                try statement.run()
                if database.changes == 0,
                    let other = try self.assignment(of: assignment.experiment, for: assignment.unit)
                {
                    others.append(other)
                }
            }
            return others
        }
    }

    /// Removes the assignments of an experiment that were made before a date.
    func forget(_ experiment: String, before date: Date) throws(EventStoreError) {
        try delete("experiment = ? AND time < ?") { (statement) throws(EventStoreError) in
            try statement.bind(1, experiment).bind(2, date.milliseconds)
        }
    }

    /// Removes all assignments of a unit or none.
    /// - Returns: The number of assignments that were removed.
    func forget(_ unit: ExperimentUnit) throws(EventStoreError) -> Int {
        let delete = try database.prepare("DELETE FROM assignments WHERE experiment = ? AND unit = ? AND id = ?")
        return try database.transaction { () throws(EventStoreError) in
            var count = 0
            for experiment in try experiments() {
                try delete.bind(1, experiment).bind(2, unit.name).bind(3, unit.id).run()
                count += database.changes
            }
            return count
        }
    }

    /// Removes the oldest assignments if there are more than so many.
    /// - Returns: The number of assignments that were removed.
    func removeOldest(downTo limit: Int) throws(EventStoreError) -> Int {
        let count = Int(try database.prepare("SELECT count(*) FROM assignments").number() ?? 0)
        guard count > limit else { return 0 }
        // The newest of those to be removed is found without keeping other processes from writing.
        let excess = count - limit
        let boundary = try database.prepare("SELECT time FROM assignments ORDER BY time LIMIT 1 OFFSET ?")
            .bind(1, Int64(excess - 1)).number()
        guard let boundary else { return 0 }
        let older = try delete("time < ?", atMost: excess) { (statement) throws(EventStoreError) in
            try statement.bind(1, boundary)
        }
        return try older
            + delete("time = ?", atMost: excess - older) { (statement) throws(EventStoreError) in
                try statement.bind(1, boundary)
            }
    }

    /// Deletes rows, some at a time, so that other processes need not wait long.
    /// - Parameters:
    ///   - condition: Which rows, in SQL.
    ///   - limit: How many at most.
    ///   - bind: Binds the condition's parameters.
    /// - Throws: If they cannot be deleted; those of earlier transactions are.
    /// - Returns: How many were deleted.
    @discardableResult
    func delete(
        _ condition: String, atMost limit: Int = .max,
        _ bind: (SQLiteStatement) throws(EventStoreError) -> SQLiteStatement
    ) throws(EventStoreError) -> Int {
        var count = 0
        while count < limit {
            let rows = min(Self.rowsPerDeletion, limit - count)
            let statement = try database.prepare(
                """
                DELETE FROM assignments WHERE (experiment, unit, id) IN
                (SELECT experiment, unit, id FROM assignments WHERE \(condition) LIMIT \(rows))
                """)
            try bind(statement).run()
            count += database.changes
            if database.changes < rows { break }
        }
        return count
    }

    /// Whether the whole file can be read.
    var isSound: Bool {
        var answer = ""
        do throws(EventStoreError) {
            try database.prepare("PRAGMA quick_check(1)").forEachRow { answer = $0.text(0) }
        } catch {
            return error.code != .corrupt
        }
        return answer == "ok"
    }

    /// The experiments that have assignments, each found by a look into the index.
    func experiments() throws(EventStoreError) -> [String] {
        let first = try database.prepare("SELECT experiment FROM assignments ORDER BY experiment LIMIT 1")
        let next = try database.prepare(
            "SELECT experiment FROM assignments WHERE experiment > ? ORDER BY experiment LIMIT 1")
        var experiments: [String] = []
        var found: String?
        try first.forEachRow { found = $0.text(0) }
        while let experiment = found {
            experiments.append(experiment)
            found = nil
            try next.bind(1, experiment).forEachRow { found = $0.text(0) }
            // A damaged index may say otherwise, without end.
            guard found.map({ experiment.utf8.lexicographicallyPrecedes($0.utf8) }) ?? true else {
                throw EventStoreError(.corrupt, reason: "experiments are not in the order of their names")
            }
        }
        return experiments
    }
}

extension SQLiteStatement {
    /// Binds the columns of an assignment, from the first parameter on.
    @discardableResult
    func bind(_ assignment: StickyAssignment) throws(EventStoreError) -> Self {
        try bind(1, assignment.experiment).bind(2, assignment.unit.name).bind(3, assignment.unit.id)
            .bind(4, assignment.variant).bind(5, assignment.date.milliseconds)
    }
}
