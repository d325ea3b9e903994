import Glibc

/// A store that outlives the process: one database file, locked for the process's life.
///
/// An event's row id is its namespace's number times 2⁴⁰ plus a running number: rows of a namespace lie together and in
/// order without an index of their own. Each row has a checksum, so that damage costs that row and no other.
package final class SQLiteEventStore: EventStore {
    private static let idsPerNamespace: Int64 = 1 << 40
    /// Ids from 2⁶² on belong to events in memory.
    private static let keys: Range<Int64> = 0..<1 << 22
    private static let schemaVersion: Int64 = 1
    /// How many namespaces a file has when it is opened, but for those with events.
    static let maxNamespaces: Int64 = 10_000
    /// A higher number is damage, and not that of a newer release.
    private static let largestVersion: Int64 = 99
    /// The size of a new file's pages, in bytes. Rows of about 1 KB leave little waste on large pages, and a commit writes
    /// fewer of them.
    package static let pageSize = 16 << 10
    /// A larger file is checked before the first events are read, and not when it is opened, in bytes: a check takes a fifth of a
    /// second for 500 MB.
    private static let checkedAtOnce = 64 << 20
    /// Stands for a number that could not be read; events under it are refused.
    static let unknownKey: Int64 = -1

    let path: String
    /// Held for as long as the store lives.
    let lock: FileLock
    package let database: SQLiteDatabase
    /// The database and its journal as they were when the store was opened.
    private let identity: [FileIdentity?]
    private var lastIDs: [Int64: Int64] = [:]
    private var isFullySynced = false
    private var isChecked = false

    /// The statements that were used, by their text.
    private var statements: [String: SQLiteStatement] = [:]

    /// Opens a database file, and creates it if it is missing.
    /// - Parameters:
    ///   - path: The file. A symbolic link is not followed.
    ///   - lock: The lock that makes it this process's own.
    ///   - pageSize: The size of its pages if it is new, in bytes; another one is for tests.
    /// - Throws: If it cannot be opened, is damaged, or was written by a newer version of the SDK.
    package init(path: String, lock: FileLock, pageSize: Int = pageSize) throws(EventStoreError) {
        self.path = path
        self.lock = lock
        (database, isChecked) = try Self.open(path, pageSize)
        identity = Self.identity(path)
    }

    /// A statement on the store's database, which SQLite compiles once, when it is first used. Its parameters keep their
    /// values from one run to the next, so that all are to be bound.
    func statement(_ sql: String) throws(EventStoreError) -> SQLiteStatement {
        if let statement = statements[sql] { return statement }
        let statement = try database.prepare(sql)
        statements[sql] = statement
        return statement
    }

    private static func open(
        _ path: String, _ pageSize: Int
    ) throws(EventStoreError) -> (SQLiteDatabase, isChecked: Bool) {
        // Made here and not by SQLite, so that only this user can read it; SQLite's other files follow it.
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw EventStoreError(.unavailable, reason: FileError(.open, path: path).description)
        }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        let hasHeader = DatabaseFile.hasHeader(descriptor)
        Glibc.close(descriptor)
        let isNew = size == 0
        let log = WriteAheadLog(path: path + "-wal", expecting: pageSize)
        // SQLite would leave out what lies behind the damage, and overwrite it.
        if log?.isDamaged == true { throw EventStoreError(.corrupt, reason: "its log is damaged") }
        // SQLite would remove the log.
        if isNew, log?.pageCount != nil { throw EventStoreError(.corrupt, reason: "it is empty, and its log is not") }
        if !isNew, !hasHeader { throw EventStoreError(.corrupt, reason: "its header is damaged") }
        let database = try SQLiteDatabase(path: path)
        // The slot's lock makes the file this process's own, so SQLite needs no shared memory, whose truncation would
        // raise SIGBUS. With NORMAL a commit survives the death of the process; `isSynced` asks for more.
        // What is removed is overwritten: a salvage must not find it.
        try database.execute(
            "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON")
        if isNew {
            // It has nothing to lose, so that its first page needs no journal on disk and no sync.
            try database.execute(
                """
                PRAGMA synchronous = OFF;
                PRAGMA journal_mode = MEMORY;
                PRAGMA page_size = \(pageSize);
                PRAGMA auto_vacuum = INCREMENTAL;
                PRAGMA user_version = 0;
                PRAGMA synchronous = NORMAL;
                """)
        }
        // Syncs a new file: SQLite removes the log of a file that is empty, as one may be after a power failure.
        var mode = ""
        try database.prepare("PRAGMA journal_mode = WAL").forEachRow { mode = $0.text(0) }
        guard mode == "wal" else {
            throw EventStoreError(.failed, reason: "\(path) cannot have a write-ahead log: its mode is \(mode)")
        }
        let isSmall = size + (log?.size ?? 0) <= checkedAtOnce
        if !isNew, isSmall { try check(database) }
        let version = try database.prepare("PRAGMA user_version").number() ?? 0
        guard 0...largestVersion ~= version else {
            throw EventStoreError(.corrupt, reason: "\(path) has the impossible schema \(version)")
        }
        guard version <= schemaVersion else {
            throw EventStoreError(
                .unavailable, reason: "\(path) was written by a newer version of this SDK (schema \(version))")
        }
        try database.execute("PRAGMA journal_size_limit = 16777216")
        // The log of a new file is synced with its directory by the first commit that asks for a sync.
        if isNew { try database.execute("PRAGMA synchronous = OFF") }
        try makeTables(in: database, version)
        if !isNew { try forgetNamespaces(in: database) }
        if isNew { try database.execute("PRAGMA synchronous = NORMAL") }
        return (database, isNew || isSmall)
    }

    /// Forgets the oldest namespaces without events, and their sessions, of those beyond ``maxNamespaces``: documents may name new
    /// ones for ever.
    private static func forgetNamespaces(in database: SQLiteDatabase) throws(EventStoreError) {
        let surplus = (try database.prepare("SELECT count(*) FROM namespaces").number() ?? 0) - maxNamespaces
        guard surplus > 0 else { return }
        try database.transaction { () throws(EventStoreError) in
            try database.execute(
                """
                DELETE FROM namespaces WHERE id IN (
                    SELECT id FROM namespaces WHERE NOT EXISTS (
                        SELECT 1 FROM events
                        WHERE events.id BETWEEN namespaces.id << 40 AND (namespaces.id + 1 << 40) - 1)
                    ORDER BY id LIMIT \(surplus));
                DELETE FROM sessions WHERE namespace NOT IN (SELECT id FROM namespaces)
                """)
        }
    }

    /// Checks all pages of the file, once and before the first of its events are read: SQLite by itself does not see that a page
    /// is missing in a table, or is in it twice.
    private func check() throws(EventStoreError) {
        guard !isChecked else { return }
        try Self.check(database)
        isChecked = true
    }

    private static func check(_ database: SQLiteDatabase) throws(EventStoreError) {
        var answer = ""
        try database.prepare("PRAGMA integrity_check(1)").forEachRow { answer = $0.text(0) }
        guard answer == "ok" else { throw EventStoreError(.corrupt, reason: answer.excerpt) }
    }

    /// Makes, in one commit, the tables of a new file, and what files of earlier releases lack.
    private static func makeTables(in database: SQLiteDatabase, _ version: Int64) throws(EventStoreError) {
        try database.transaction { () throws(EventStoreError) in
            let hasChecksum = try database.prepare(
                "SELECT 1 FROM pragma_table_info('events') WHERE name = 'checksum'"
            ).number()
            let hasEvents = try database.prepare("SELECT 1 FROM pragma_table_info('events')").number() != nil
            guard hasEvents || version == 0 else {
                throw EventStoreError(.corrupt, reason: "its table of events is missing")
            }
            // Rows without a checksum are checked as JSON.
            if version != schemaVersion || hasChecksum == nil {
                try database.execute(
                    """
                    CREATE TABLE IF NOT EXISTS namespaces (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
                    CREATE TABLE IF NOT EXISTS events (
                        id INTEGER PRIMARY KEY, time INTEGER NOT NULL, anonymous INTEGER NOT NULL, payload BLOB NOT NULL
                    );
                    CREATE TABLE IF NOT EXISTS sessions (namespace INTEGER PRIMARY KEY, record BLOB NOT NULL);
                    CREATE TABLE IF NOT EXISTS salvaged (file TEXT PRIMARY KEY) WITHOUT ROWID;
                    PRAGMA user_version = \(schemaVersion);
                    """)
                if hasChecksum == nil { try database.execute("ALTER TABLE events ADD COLUMN checksum INTEGER") }
            }
            try database.execute(
                """
                CREATE TABLE IF NOT EXISTS staging (
                    segment INTEGER PRIMARY KEY, generation INTEGER NOT NULL, position INTEGER NOT NULL);
                CREATE TABLE IF NOT EXISTS moves (slot INTEGER NOT NULL, first INTEGER, last INTEGER);
                """)
        }
    }

    /// Whether the database and its journal are still where they were opened. What is committed to a file that was
    /// removed or replaced ends with the process.
    var isInPlace: Bool { Self.identity(path) == identity }

    private static func identity(_ path: String) -> [FileIdentity?] {
        ["", "-wal"].map { FileIdentity(path + $0) }
    }

    package func key(of namespace: String) throws(EventStoreError) -> Int64 {
        // Looked for first: a namespace that is known needs no transaction.
        if let key = try knownKey(of: namespace) { return key }
        try run("INSERT OR IGNORE INTO namespaces (name) VALUES (CAST(? AS TEXT))", namespace)
        guard let key = try knownKey(of: namespace) else {
            throw EventStoreError(.failed, reason: "a namespace cannot be stored")
        }
        return key
    }

    private func knownKey(of namespace: String) throws(EventStoreError) -> Int64? {
        let key = try run("SELECT id FROM namespaces WHERE name = CAST(? AS TEXT)", namespace)
        return try key.map(checked)
    }

    private func checked(_ key: Int64) throws(EventStoreError) -> Int64 {
        guard Self.keys.contains(key) else {
            throw EventStoreError(.corrupt, reason: "\(path) has a namespace with the impossible number \(key)")
        }
        return key
    }

    /// Adds namespaces in one commit, because a commit for each would write its pages anew.
    func add(_ namespaces: [String]) throws(EventStoreError) {
        try database.transaction { () throws(EventStoreError) in
            for namespace in namespaces { _ = try key(of: namespace) }
        }
    }

    package func append(_ batch: EventBatch, keys: (Int) -> Int64, isSynced: Bool) throws(EventStoreError) {
        try append(batch, keys: keys, isSynced: isSynced, positions: [])
    }

    /// Adds all events in one commit, or nothing.
    /// - Parameters:
    ///   - batch: The events.
    ///   - keys: The store's number of a namespace, by the namespace's index in the batch.
    ///   - isSynced: Whether to return only when even a power failure cannot lose them.
    ///   - positions: How far the staging area is in the store with these events.
    ///   - moved: The slot from which the events come, and their numbers there; nil if they come from none.
    /// - Throws: If they cannot be stored; none is then.
    func append(
        _ batch: EventBatch, keys: (Int) -> Int64, isSynced: Bool, positions: [StagedPosition],
        moved: (slot: Int, ids: ClosedRange<Int64>)? = nil
    ) throws(EventStoreError) {
        try append(sessions: [:], isSynced: isSynced, positions: positions) { (last) throws(EventStoreError) in
            try append(batch, keys: keys, &last)
            if let moved { try saveMoved(moved.ids, from: moved.slot) }
        }
    }

    /// Adds all events and sessions in one commit, or nothing.
    /// - Parameters:
    ///   - sessions: The sessions to keep, by the store's number of their namespace.
    ///   - isSynced: Whether to return only when even a power failure cannot lose them.
    ///   - positions: How far the staging area is in the store with these events.
    ///   - addEvents: Adds the events; gets the last ids by namespace.
    /// - Throws: If they cannot be stored; none is then.
    func append(
        sessions: [Int64: SessionRecord], isSynced: Bool, positions: [StagedPosition],
        _ addEvents: (inout [Int64: Int64]) throws(EventStoreError) -> Void
    ) throws(EventStoreError) {
        try syncFully(isSynced)
        defer { if isSynced { leaveFullSync() } }
        var last = lastIDs
        try database.transaction { () throws(EventStoreError) in
            try addEvents(&last)
            for (key, session) in sessions { try save(session, of: key) }
            for position in positions { try save(position) }
        }
        lastIDs = last
    }

    /// Adds events within a transaction.
    /// - Parameters:
    ///   - batch: The events.
    ///   - keys: The store's number of a namespace, by the namespace's index in the batch.
    ///   - last: The last ids by namespace, which are the store's once the transaction is committed.
    /// - Throws: If the store cannot take them; the transaction is to be rolled back then.
    func append(
        _ batch: EventBatch, keys: (Int) -> Int64, _ last: inout [Int64: Int64]
    ) throws(EventStoreError) {
        try batch.forEach { (row, bytes) throws(EventStoreError) in
            try insert(bytes, of: keys(row.namespace), time: row.time, isAnonymous: row.isAnonymous, &last)
        }
    }

    /// Adds an event within a transaction.
    /// - Parameters:
    ///   - bytes: The event.
    ///   - key: The store's number of its namespace.
    ///   - time: When it was tracked, in milliseconds since 1970.
    ///   - isAnonymous: Whether it is anonymous.
    ///   - last: The last ids by namespace, which are the store's once the transaction is committed.
    /// - Throws: If the store cannot take it; the transaction is to be rolled back then.
    func insert(
        _ bytes: UnsafeRawBufferPointer, of key: Int64, time: Int64, isAnonymous: Bool, _ last: inout [Int64: Int64]
    ) throws(EventStoreError) {
        guard key != Self.unknownKey else {
            throw EventStoreError(.failed, reason: "a namespace has no number in \(path)")
        }
        if last[key] == nil { last[key] = try lastID(of: key) }
        let id = last[key, default: 0] + 1
        guard Self.ids(of: key).contains(id) else {
            throw EventStoreError(.corrupt, reason: "\(path) has an event with the impossible number \(id)")
        }
        last[key] = id
        let checksum = RowChecksum.of(id: id, time: time, isAnonymous: isAnonymous, payload: bytes)
        try statement("INSERT INTO events (id, time, anonymous, payload, checksum) VALUES (?, ?, ?, ?, ?)")
            .bind(1, id).bind(2, time).bind(3, isAnonymous ? 1 : 0).bind(4, bytes).bind(5, checksum).run()
    }

    private func lastID(of key: Int64) throws(EventStoreError) -> Int64 {
        try ids(of: key)?.upperBound ?? Self.ids(of: key).lowerBound
    }

    /// From the first to the last id of a namespace's events; nil without events.
    func ids(of key: Int64) throws(EventStoreError) -> ClosedRange<Int64>? {
        let all = Self.ids(of: key)
        let selectFirst = try statement("SELECT id FROM events WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 1")
        guard let first = try selectFirst.bind(1, all.lowerBound).bind(2, all.upperBound).number() else { return nil }
        let selectLast = try statement("SELECT id FROM events WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1")
        guard let last = try selectLast.bind(1, all.lowerBound).bind(2, all.upperBound).number() else { return nil }
        return first...last
    }

    /// Reads the last ids anew, after another writer's transaction.
    func forgetLastIDs() {
        lastIDs = [:]
    }

    package func events(
        of key: Int64, from id: Int64, limit: EventAmount, except excluded: Set<Int64>
    ) throws(EventStoreError) -> StoredEvents {
        try rows(of: key, from: id, limit: limit, except: excluded)
    }

    /// Reads rows and their times, and checks each.
    func rows(
        of key: Int64, from id: Int64 = .min, limit: EventAmount, except excluded: Set<Int64> = [],
        without unremoved: UnremovedRows = UnremovedRows(), _ body: (StoredEvent, _ time: Int64) -> Void = { _, _ in }
    ) throws(EventStoreError) -> StoredEvents {
        let ids = Self.ids(of: key)
        try check()
        var result = StoredEvents()
        var amount = EventAmount.zero
        var next: Int64? = max(ids.lowerBound, id)
        while let first = next {
            next = nil
            try selectRows().bind(1, first).bind(2, ids.upperBound).forEachRow(
                inOrder: true,
                while: { row in
                    if let run = unremoved.run(at: row.int64(0)) {
                        // Not row by row: they may be all that an outage left.
                        next = run.ids.upperBound + 1
                        return false
                    }
                    if !excluded.isEmpty, excluded.contains(row.int64(0)) { return true }
                    guard let event = StoredEvent(row) else {
                        result.damaged.append(StoredEvent(unchecked: row))
                        return result.damaged.count < limit.events
                    }
                    let sum = amount + EventAmount(event)
                    if sum.events > limit.events || !result.events.isEmpty && sum.bytes > limit.bytes {
                        result.isLimited = true
                        return false
                    }
                    amount = sum
                    result.events.append(event)
                    body(event, row.int64(1))
                    return true
                })
        }
        return result
    }

    private func selectRows() throws(EventStoreError) -> SQLiteStatement {
        try statement("SELECT id, time, anonymous, payload, checksum FROM events WHERE id BETWEEN ? AND ? ORDER BY id")
    }

    package func remove(_ ids: [Int64], of key: Int64) throws(EventStoreError) -> Int {
        guard let id = ids.first else { return 0 }
        return try database.transaction { () throws(EventStoreError) in
            let removed = try removeRows(ids.sorted())
            // A loop that removes what it has read would never end.
            if removed == 0, try statement("SELECT 1 FROM events WHERE id = ?").bind(1, id).number() != nil {
                throw EventStoreError(.corrupt, reason: "rows that are there cannot be removed")
            }
            return removed
        }
    }

    /// Removes events within a transaction.
    @discardableResult
    func removeRows(_ sorted: [Int64]) throws(EventStoreError) -> Int {
        guard let first = sorted.first, let last = sorted.last else { return 0 }
        if last - first == Int64(sorted.count - 1) { return try removeRange(first, last) }
        var removed = 0
        let delete = try statement("DELETE FROM events WHERE id = ?")
        for id in sorted {
            try delete.bind(1, id).run()
            removed += database.changes
        }
        return removed
    }

    @discardableResult
    func removeRange(_ first: Int64, _ last: Int64) throws(EventStoreError) -> Int {
        try statement("DELETE FROM events WHERE id BETWEEN ? AND ?").bind(1, first).bind(2, last).run()
        return database.changes
    }

    package func amount(of key: Int64) throws(EventStoreError) -> EventAmount {
        try amount(of: Self.ids(of: key), limit: -1).amount
    }

    /// The events with some ids.
    /// - Parameters:
    ///   - ids: The ids, all of one namespace.
    ///   - limit: The most events to count, the first ones; below zero for all.
    /// - Throws: If they cannot be read.
    /// - Returns: The amount, and the last id that was counted; nil for none.
    package func amount(
        of ids: ClosedRange<Int64>, limit: Int
    ) throws(EventStoreError) -> (amount: EventAmount, last: Int64?) {
        var result: (amount: EventAmount, last: Int64?) = (.zero, nil)
        let select = try statement(
            """
            SELECT count(*), sum(size), max(id) FROM
            (SELECT id, length(payload) AS size FROM events WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?)
            """)
        try select.bind(1, ids.lowerBound).bind(2, ids.upperBound).bind(3, Int64(limit)).forEachRow {
            result = (EventAmount($0), $0.isNull(2) ? nil : $0.int64(2))
        }
        // Ids are numbers that grow.
        if let last = result.last, Int64(result.amount.events - 1) > last - ids.lowerBound {
            throw EventStoreError(.corrupt, reason: "it has more events than ids")
        }
        return result
    }

    package func removeOldest(
        _ amount: EventAmount, of key: Int64, after id: Int64
    ) throws(EventStoreError) -> EventAmount {
        let ids = Self.ids(of: key)
        let first = max(ids.lowerBound, id + 1)
        var last: Int64?
        var removed = EventAmount.zero
        let select = try statement("SELECT id, length(payload) FROM events WHERE id BETWEEN ? AND ? ORDER BY id")
        try select.bind(1, first).bind(2, ids.upperBound).forEachRow(
            inOrder: true,
            while: { row in
                if removed.covers(amount) { return false }
                last = row.int64(0)
                removed += EventAmount(events: 1, bytes: Int(row.int64(1)))
                return true
            })
        if let last { _ = try removeRange(first, last) }
        return removed
    }

    package func removeEvents(
        of key: Int64, after id: Int64, trackedBefore time: Int64
    ) throws(EventStoreError) -> EventAmount {
        let ids = Self.ids(of: key)
        let first = max(ids.lowerBound, id + 1)
        var last: Int64?
        var removed = EventAmount.zero
        // Events come in the order of their time, so the search stops at the first that is young enough.
        let select = try statement("SELECT id, length(payload), time FROM events WHERE id BETWEEN ? AND ? ORDER BY id")
        try select.bind(1, first).bind(2, ids.upperBound).forEachRow(while: { row in
            guard row.int64(2) < time else { return false }
            last = row.int64(0)
            removed += EventAmount(events: 1, bytes: Int(row.int64(1)))
            return true
        })
        if let last { try removeRange(first, last) }
        return removed
    }

    package func events(
        of key: Int64, after id: Int64, trackedBefore time: Int64, limit: EventAmount
    ) throws(EventStoreError) -> [StoredEvent] {
        let ids = Self.ids(of: key)
        var events: [StoredEvent] = []
        var amount = EventAmount.zero
        try selectRows().bind(1, max(ids.lowerBound, id + 1)).bind(2, ids.upperBound).forEachRow(
            inOrder: true,
            while: { row in
                guard row.int64(1) < time else { return false }
                let event = StoredEvent(unchecked: row)
                amount += EventAmount(event)
                guard events.isEmpty || limit.covers(amount) else { return false }
                events.append(event)
                return true
            })
        return events
    }

    package func oldestTime(of key: Int64) throws(EventStoreError) -> Int64? {
        let ids = Self.ids(of: key)
        return try statement("SELECT time FROM events WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 1")
            .bind(1, ids.lowerBound).bind(2, ids.upperBound).number()
    }

    package func namespaces() throws(EventStoreError) -> [String] {
        var names: [String] = []
        let select = try statement(
            """
            SELECT CAST(name AS BLOB) FROM namespaces WHERE id BETWEEN 0 AND \(Self.keys.upperBound - 1)
            AND EXISTS (SELECT 1 FROM events WHERE events.id BETWEEN namespaces.id << 40 AND (namespaces.id + 1 << 40) - 1)
            """)
        try select.forEachRow { names.append(String(decoding: $0.bytes(0), as: UTF8.self)) }
        return names
    }

    /// The sessions that were kept; nil for one that cannot be read.
    func sessions() throws(EventStoreError) -> [(namespace: String, record: SessionRecord?)] {
        var sessions: [(namespace: String, record: SessionRecord?)] = []
        try statement(
            "SELECT CAST(name AS BLOB), record FROM sessions JOIN namespaces ON namespaces.id = sessions.namespace"
        ).forEachRow {
            sessions.append((String(decoding: $0.bytes(0), as: UTF8.self), SessionRecord(bytes: $0.bytes(1))))
        }
        return sessions
    }

    /// Keeps a namespace's session.
    func save(_ session: SessionRecord, of key: Int64) throws(EventStoreError) {
        let bytes = session.bytes
        let save = try statement("INSERT OR REPLACE INTO sessions (namespace, record) VALUES (?, ?)")
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(EventStoreError) in try save.bind(1, key).bind(2, bytes).run() }
        }
        try result.get()
    }

    /// Closes the store; nothing may be called after it.
    func close() {
        // Leaves one small file behind, not two; if that fails, SQLite puts them together at the next start.
        try? shrink()
        try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Runs a statement with a text as its one parameter.
    @discardableResult
    private func run(_ sql: String, _ text: String) throws(EventStoreError) -> Int64? {
        let statement = try statement(sql)
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

    /// Commits of removals need no sync of their own: an event that comes back after a power failure is sent twice.
    private func leaveFullSync() {
        // If it fails, commits stay slower than they need be, and the next batch asks again.
        try? syncFully(false)
    }

    /// The ids that a namespace's events may have.
    static func ids(of key: Int64) -> ClosedRange<Int64> {
        key * idsPerNamespace...(key + 1) * idsPerNamespace - 1
    }
}

extension EventAmount {
    /// Reads a count and a sum of sizes, which is null without a row.
    fileprivate init(_ row: SQLiteStatement) {
        self.init(events: Int(row.int64(0)), bytes: Int(row.int64(1)))
    }
}
