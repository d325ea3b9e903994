import Glibc

/// A connection to a file of assignments, for one thread at a time.
final class AssignmentDatabase {
    private static let schemaVersion: Int64 = 1
    /// So many rows are deleted in one transaction, so that other processes need not wait long.
    private static let rowsPerDeletion = 10_000

    private let database: SQLiteDatabase
    private let select: SQLiteStatement
    private let forkGuard: ForkGuard

    /// Opens a file.
    /// - Parameters:
    ///   - path: The file.
    ///   - isNew: Whether to make the file and its table where they are not there.
    ///   - forkGuard: Knows whether this is the process that opened it.
    /// - Throws: Where it cannot be opened, is damaged or was written by a newer version of the SDK.
    init(path: String, makesTable isNew: Bool, forkGuard: ForkGuard) throws(EventStoreError) {
        self.forkGuard = forkGuard
        if isNew {
            // Made here and not by SQLite, so that only this user can read what is in it.
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if descriptor >= 0 { Glibc.close(descriptor) }
        }
        database = try SQLiteDatabase(path: path)
        // With NORMAL a commit survives the death of the process; a power failure may undo the newest.
        try database.execute("PRAGMA synchronous = NORMAL")
        if isNew {
            try database.execute(
                """
                PRAGMA journal_mode = WAL;
                PRAGMA journal_size_limit = 4194304;
                CREATE TABLE IF NOT EXISTS assignments (
                    experiment TEXT NOT NULL, unit TEXT NOT NULL, id TEXT NOT NULL, variant TEXT NOT NULL,
                    PRIMARY KEY (experiment, unit, id)
                ) WITHOUT ROWID;
                """)
            let version = try database.prepare("PRAGMA user_version").number() ?? 0
            guard version <= Self.schemaVersion else {
                throw EventStoreError(
                    .unavailable,
                    reason: "\(path) was written by a newer version of this SDK (schema \(version))")
            }
            if version != Self.schemaVersion { try database.execute("PRAGMA user_version = \(Self.schemaVersion)") }
        }
        select = try database.prepare("SELECT variant FROM assignments WHERE experiment = ? AND unit = ? AND id = ?")
    }

    deinit {
        guard !forkGuard.isOwnProcess else { return }
        // Closing would end the parent's journal, so a child lets go of nothing.
        _ = Unmanaged.passRetained(select)
        _ = Unmanaged.passRetained(database)
    }

    /// The variant of a unit, nil where none is stored.
    func variant(of experiment: String, for unit: ExperimentUnit) throws(EventStoreError) -> String? {
        var variant: String?
        try select.bind(1, experiment).bind(2, unit.name).bind(3, unit.id).forEachRow { variant = $0.text(0) }
        return variant
    }

    /// All variants of a unit, by experiment.
    func variants(of unit: ExperimentUnit) throws(EventStoreError) -> [String: String] {
        var variants: [String: String] = [:]
        for experiment in try experiments() { variants[experiment] = try variant(of: experiment, for: unit) }
        return variants
    }

    /// Keeps all assignments or none.
    func save(_ assignments: [StickyAssignment]) throws(EventStoreError) {
        let insert = try database.prepare("INSERT INTO assignments VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
        let replace = try database.prepare(
            """
            INSERT INTO assignments VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET variant = excluded.variant WHERE variant = ?
            """)
        try database.transaction { () throws(EventStoreError) in
            for assignment in assignments {
                let statement = assignment.replaced == nil ? insert : replace
                try statement.bind(1, assignment.experiment).bind(2, assignment.unit.name).bind(3, assignment.unit.id)
                    .bind(4, assignment.variant)
                if let replaced = assignment.replaced { try statement.bind(5, replaced) }
                try statement.run()
            }
        }
    }

    /// Forgets the assignments of all experiments but some.
    func forget(except retained: Set<String>) throws(EventStoreError) {
        let delete = try database.prepare(
            """
            DELETE FROM assignments WHERE (experiment, unit, id) IN
            (SELECT experiment, unit, id FROM assignments WHERE experiment = ? LIMIT \(Self.rowsPerDeletion))
            """)
        for experiment in try experiments() where !retained.contains(experiment) {
            repeat { try delete.bind(1, experiment).run() } while database.changes == Self.rowsPerDeletion
        }
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
    private func experiments() throws(EventStoreError) -> [String] {
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
        }
        return experiments
    }
}
