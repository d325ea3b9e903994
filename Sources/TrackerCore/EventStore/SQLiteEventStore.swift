import Foundation

/// A store that outlives the process: one database file, locked for the process's life.
///
/// An event's row id is its namespace's number times 2⁴⁰ plus a running number: rows of a namespace lie together and in
/// order without an index of their own.
package final class SQLiteEventStore: EventStore {
    private static let idsPerNamespace: Int64 = 1 << 40
    private static let schemaVersion: Int64 = 1

    private let database: SQLiteDatabase
    /// Held for as long as the store lives.
    let lock: FileLock
    private var lastIDs: [Int64: Int64] = [:]
    private var isFullySynced = false

    private let insert: SQLiteStatement
    private let select: SQLiteStatement
    private let delete: SQLiteStatement
    private let deleteRange: SQLiteStatement
    private let selectOldestTime: SQLiteStatement
    private let deleteOldest: SQLiteStatement
    private let deleteBefore: SQLiteStatement
    private let saveSession: SQLiteStatement
    private let insertNamespace: SQLiteStatement
    private let selectNamespace: SQLiteStatement
    private let countEvents: SQLiteStatement

    /// Opens a database file, which is made where it is not there.
    /// - Parameters:
    ///   - path: The file.
    ///   - lock: The lock that makes it this process's own.
    /// - Throws: Where it cannot be opened or is no database of this SDK's.
    init(path: String, lock: FileLock) throws(EventStoreError) {
        self.lock = lock
        // Made here and not by SQLite, so that only this user can read what is in it; SQLite's other files follow it.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor >= 0 { Foundation.close(descriptor) }
        database = try SQLiteDatabase(path: path)
        // Rows of about 1 KB leave little waste on large pages, and a commit writes fewer of them. With NORMAL a commit
        // survives the death of the process; `isSynced` asks for more.
        try database.execute(
            """
            PRAGMA page_size = 16384;
            PRAGMA synchronous = NORMAL;
            PRAGMA journal_mode = WAL;
            PRAGMA journal_size_limit = 16777216;
            CREATE TABLE IF NOT EXISTS namespaces (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
            CREATE TABLE IF NOT EXISTS events (
                id INTEGER PRIMARY KEY, time INTEGER NOT NULL, anonymous INTEGER NOT NULL, payload BLOB NOT NULL
            );
            CREATE TABLE IF NOT EXISTS sessions (namespace INTEGER PRIMARY KEY, record BLOB NOT NULL);
            """)
        let version = try database.prepare("PRAGMA user_version").number() ?? 0
        guard version <= Self.schemaVersion else {
            throw EventStoreError(
                code: .unavailable, reason: "\(path) was written by a newer version of this SDK (schema \(version))")
        }
        try database.execute("PRAGMA user_version = \(Self.schemaVersion)")
        insert = try database.prepare("INSERT INTO events (id, time, anonymous, payload) VALUES (?, ?, ?, ?)")
        select = try database.prepare(
            "SELECT id, time, anonymous, payload FROM events WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?")
        delete = try database.prepare("DELETE FROM events WHERE id = ?")
        deleteRange = try database.prepare("DELETE FROM events WHERE id BETWEEN ? AND ?")
        selectOldestTime = try database.prepare("SELECT time FROM events WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 1")
        deleteOldest = try database.prepare(
            "DELETE FROM events WHERE id IN (SELECT id FROM events WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?)")
        saveSession = try database.prepare("INSERT OR REPLACE INTO sessions (namespace, record) VALUES (?, ?)")
        deleteBefore = try database.prepare("DELETE FROM events WHERE id BETWEEN ? AND ? AND time < ?")
        insertNamespace = try database.prepare("INSERT OR IGNORE INTO namespaces (name) VALUES (CAST(? AS TEXT))")
        selectNamespace = try database.prepare("SELECT id FROM namespaces WHERE name = CAST(? AS TEXT)")
        countEvents = try database.prepare("SELECT count(*) FROM events WHERE id BETWEEN ? AND ?")
    }

    package func key(of namespace: String) throws(EventStoreError) -> Int64 {
        // Looked for first: a namespace that is known needs no transaction.
        if let key = try run(selectNamespace, namespace) { return key }
        try run(insertNamespace, namespace)
        guard let key = try run(selectNamespace, namespace) else {
            throw EventStoreError(code: .failed, reason: "a namespace cannot be stored")
        }
        return key
    }

    /// Makes places for namespaces in one commit, where a commit for each would write its pages anew.
    func add(_ namespaces: [String]) throws(EventStoreError) {
        try database.transaction { () throws(EventStoreError) in
            for namespace in namespaces { _ = try key(of: namespace) }
        }
    }

    package func append(_ batch: EventBatch, keys: [Int64], isSynced: Bool) throws(EventStoreError) {
        try syncFully(isSynced)
        for key in Set(batch.rows.map { keys[$0.outbox] }) where lastIDs[key] == nil {
            let ids = Self.ids(of: key)
            let last = try database.prepare("SELECT max(id) FROM events WHERE id BETWEEN ? AND ?")
                .bind(1, ids.lowerBound).bind(2, ids.upperBound).number()
            lastIDs[key] = max(last ?? 0, ids.lowerBound)
        }
        var last = lastIDs
        try database.transaction { () throws(EventStoreError) in
            try batch.forEach { (row, bytes) throws(EventStoreError) in
                let id = last[keys[row.outbox], default: 0] + 1
                last[keys[row.outbox]] = id
                try insert.bind(1, id).bind(2, row.time).bind(3, row.isAnonymous ? 1 : 0).bind(4, bytes).run()
            }
        }
        lastIDs = last
    }

    package func events(of key: Int64, limit: Int) throws(EventStoreError) -> [StoredEvent] {
        var events: [StoredEvent] = []
        try forEachEvent(of: key, limit: limit) { event, _ in events.append(event) }
        return events
    }

    package func remove(_ ids: [Int64]) throws(EventStoreError) -> Int {
        let sorted = ids.sorted()
        guard let first = sorted.first, let last = sorted.last else { return 0 }
        return try database.transaction { () throws(EventStoreError) in
            if last - first == Int64(sorted.count - 1) {
                try deleteRange.bind(1, first).bind(2, last).run()
                return database.changes
            }
            var removed = 0
            for id in sorted {
                try delete.bind(1, id).run()
                removed += database.changes
            }
            return removed
        }
    }

    package func count(of key: Int64) throws(EventStoreError) -> Int {
        let ids = Self.ids(of: key)
        return Int(try countEvents.bind(1, ids.lowerBound).bind(2, ids.upperBound).number() ?? 0)
    }

    package func removeOldest(_ count: Int, of key: Int64, after id: Int64) throws(EventStoreError) -> Int {
        let ids = Self.ids(of: key)
        try deleteOldest.bind(1, max(ids.lowerBound, id + 1)).bind(2, ids.upperBound).bind(3, Int64(count)).run()
        return database.changes
    }

    package func removeEvents(
        of key: Int64, after id: Int64, trackedBefore time: Int64
    ) throws(EventStoreError) -> Int {
        let ids = Self.ids(of: key)
        // Events come in the order of their time, so a look at the oldest says whether a scan is worth it.
        guard let oldest = try oldestTime(of: key), oldest < time else { return 0 }
        try deleteBefore.bind(1, max(ids.lowerBound, id + 1)).bind(2, ids.upperBound).bind(3, time).run()
        return database.changes
    }

    package func oldestTime(of key: Int64) throws(EventStoreError) -> Int64? {
        let ids = Self.ids(of: key)
        return try selectOldestTime.bind(1, ids.lowerBound).bind(2, ids.upperBound).number()
    }

    package func namespaces() throws(EventStoreError) -> [String] {
        var names: [String] = []
        let statement = try database.prepare(
            """
            SELECT CAST(name AS BLOB) FROM namespaces
            WHERE EXISTS (SELECT 1 FROM events WHERE events.id BETWEEN namespaces.id << 40 AND (namespaces.id + 1 << 40) - 1)
            """)
        try statement.forEachRow { names.append(String(decoding: $0.bytes(0), as: UTF8.self)) }
        return names
    }

    package func sessions() throws(EventStoreError) -> [(namespace: String, record: SessionRecord?)] {
        var sessions: [(namespace: String, record: SessionRecord?)] = []
        try database.prepare(
            "SELECT CAST(name AS BLOB), record FROM sessions JOIN namespaces ON namespaces.id = sessions.namespace"
        ).forEachRow {
            sessions.append((String(decoding: $0.bytes(0), as: UTF8.self), SessionRecord(bytes: $0.bytes(1))))
        }
        return sessions
    }

    package func save(_ session: SessionRecord, of key: Int64) throws(EventStoreError) {
        let bytes = session.bytes
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(EventStoreError) in try saveSession.bind(1, key).bind(2, bytes).run() }
        }
        try result.get()
    }

    package func close() {
        // Leaves one file behind, not three; where it cannot, SQLite puts them together at the next start.
        try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Moves some events of a namespace into another store; a failure on the way may leave some in both, never in none.
    /// - Returns: How many were moved, 0 where there is none left.
    func moveEvents(
        of namespace: String, to target: SQLiteEventStore, limit: Int = 1000
    ) throws(EventStoreError) -> Int {
        let key = try key(of: namespace)
        var batch = EventBatch()
        var ids: [Int64] = []
        try forEachEvent(of: key, limit: limit) { event, time in
            event.payload.withUnsafeBytes { batch.append($0, outbox: 0, isAnonymous: event.isAnonymous, time: time) }
            ids.append(event.id)
        }
        if batch.isEmpty { return 0 }
        // Synced, because what was synced there must not be less durable here.
        try target.append(batch, keys: [try target.key(of: namespace)], isSynced: true)
        return try remove(ids)
    }

    private func forEachEvent(
        of key: Int64, limit: Int, _ body: (StoredEvent, _ time: Int64) -> Void
    ) throws(EventStoreError) {
        let ids = Self.ids(of: key)
        try select.bind(1, ids.lowerBound).bind(2, ids.upperBound).bind(3, Int64(limit)).forEachRow { row in
            let event = StoredEvent(id: row.int64(0), isAnonymous: row.int64(2) != 0, payload: row.bytes(3))
            body(event, row.int64(1))
        }
    }

    /// Runs a statement with a text as its one parameter.
    @discardableResult
    private func run(_ statement: SQLiteStatement, _ text: String) throws(EventStoreError) -> Int64? {
        let bytes = Array(text.utf8)
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(EventStoreError) in try statement.bind(1, bytes).number() }
        }
        return try result.get()
    }

    private func syncFully(_ isSynced: Bool) throws(EventStoreError) {
        guard isSynced != isFullySynced else { return }
        try database.execute("PRAGMA synchronous = \(isSynced ? "FULL" : "NORMAL")")
        isFullySynced = isSynced
    }

    private static func ids(of key: Int64) -> ClosedRange<Int64> {
        key * idsPerNamespace...(key + 1) * idsPerNamespace - 1
    }
}
