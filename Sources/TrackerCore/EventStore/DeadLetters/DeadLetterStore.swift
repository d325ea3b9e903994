import TrackerPlatform

/// The dropped events that a service keeps, in one database in its state directory. All processes and tools of the
/// service may have it open at the same time.
///
/// It belongs to one thread at a time and may block.
package final class DeadLetterStore {
    private static let fileName = "dead-letters.sqlite"
    /// The maximum amount of events that is read at a time.
    private static let step = EventAmount(events: 500, bytes: 4 << 20)

    let path: String
    private let database: SQLiteDatabase
    private let identity: FileIdentity?

    /// Opens the file of a service, and creates it if it is missing.
    /// - Parameters:
    ///   - directory: The service's own directory of unsent events.
    ///   - patience: The maximum wait for another writing process per statement, in milliseconds; 1,000 by default.
    /// - Throws: If it cannot be opened, is damaged, or was written by a newer version of the SDK.
    init(in directory: String, patience: Int32 = 1_000) throws(EventStoreError) {
        path = Self.path(in: directory)
        // Created here and not by SQLite, so that only this user can read it. An existing file is not opened, because
        // closing it would release the locks of another connection of this process.
        let descriptor = TrackerPlatform.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 || errno == EEXIST else { throw EventStoreError(.open, path) }
        if descriptor >= 0 { TrackerPlatform.close(descriptor) }
        database = try SQLiteDatabase(path: path, patience: patience)
        identity = FileIdentity(path)
        try prepare()
    }

    /// Opens the file of a service.
    /// - Parameters:
    ///   - directory: The service's own directory of unsent events.
    ///   - patience: The maximum wait for another writing process per statement, in milliseconds; 1,000 by default.
    /// - Returns: The file; nil if there is none.
    /// - Throws: If it cannot be opened, is damaged, or was written by a newer version of the SDK.
    package static func existing(
        in directory: String, patience: Int32 = 1_000
    ) throws(EventStoreError) -> DeadLetterStore? {
        FileIdentity(path(in: directory)) == nil ? nil : try DeadLetterStore(in: directory, patience: patience)
    }

    private static func path(in directory: String) -> String { "\(directory)/\(fileName)" }

    private func prepare() throws(EventStoreError) {
        // A commit survives the end of the process; a power failure can lose the last commits.
        try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        var answer = ""
        try database.prepare("PRAGMA integrity_check(1)").forEachRow { answer = $0.text(0) }
        guard answer == "ok" else { throw EventStoreError(.corrupt, reason: answer.excerpt) }
        let version = try database.prepare("PRAGMA user_version").number() ?? 0
        guard version <= 1 else {
            throw EventStoreError(
                .unavailable, reason: "\(path) was written by a newer version of this SDK (schema \(version))")
        }
        guard version == 0 else { return }
        // Ignores duplicates, because a process may be killed between keeping an event and removing it.
        try database.transaction { () throws(EventStoreError) in
            try database.execute(
                """
                CREATE TABLE IF NOT EXISTS letters (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, namespace TEXT NOT NULL, reason TEXT NOT NULL,
                    time INTEGER NOT NULL, anonymous INTEGER NOT NULL, payload BLOB NOT NULL,
                    checksum INTEGER NOT NULL UNIQUE, due INTEGER NOT NULL DEFAULT 0);
                CREATE INDEX IF NOT EXISTS letters_by_time ON letters (time);
                CREATE TABLE IF NOT EXISTS total (bytes INTEGER NOT NULL);
                DELETE FROM total;
                INSERT INTO total SELECT total(length(payload)) FROM letters;
                CREATE TRIGGER IF NOT EXISTS added AFTER INSERT ON letters
                BEGIN UPDATE total SET bytes = bytes + length(new.payload); END;
                CREATE TRIGGER IF NOT EXISTS removed AFTER DELETE ON letters
                BEGIN UPDATE total SET bytes = bytes - length(old.payload); END;
                PRAGMA user_version = 1;
                """)
        }
    }

    /// Whether the path still names the file that was opened.
    var isInPlace: Bool { FileIdentity(path) == identity }

    /// Renames a damaged file; replaces an earlier damaged one.
    /// - Returns: The new name; nil if another process has renamed the file or is renaming it.
    /// - Throws: If the file cannot be renamed.
    static func setAside(in directory: String) throws(EventStoreError) -> String? {
        let (path, aside) = (path(in: directory), path(in: directory) + ".damaged")
        let lock = try EventStoreError.converted { () throws(FileError) in
            try FileLock(path: "\(directory)/dead-letters.lock")
        }
        guard let lock else { return nil }
        defer { withExtendedLifetime(lock) {} }
        do throws(EventStoreError) {
            if try existing(in: directory) != nil { return nil }
        } catch  where error.code == .corrupt {
            // The file is still the damaged one.
        }
        for suffix in ["", "-wal", "-shm"] {
            guard rename(path + suffix, aside + suffix) == 0 || errno == ENOENT else {
                throw EventStoreError(.rename, path + suffix)
            }
        }
        return aside
    }

    /// Adds letters in one commit, and removes the oldest ones beyond the bounds.
    /// - Parameters:
    ///   - letters: The letters.
    ///   - bounds: The bounds of all letters.
    ///   - time: Milliseconds since 1970.
    /// - Throws: If they cannot be stored; then nothing is changed.
    func keep(_ letters: [DeadLetter], within bounds: DeadLetters.Bounds, at time: Int64) throws(EventStoreError) {
        try database.transaction { () throws(EventStoreError) in
            let insert = try database.prepare(
                """
                INSERT OR IGNORE INTO letters (namespace, reason, time, anonymous, payload, checksum)
                VALUES (?, ?, ?, ?, ?, ?)
                """)
            for letter in letters {
                try insert.bind(1, letter.namespace).bind(2, letter.reason).bind(3, letter.time)
                    .bind(4, letter.isAnonymous ? 1 : 0).bind(6, letter.checksum)
                let result = letter.payload.withUnsafeBytes { bytes in
                    Result { () throws(EventStoreError) in try insert.bind(5, bytes).run() }
                }
                try result.get()
            }
            try trim(to: bounds, at: time)
        }
    }

    private func trim(to bounds: DeadLetters.Bounds, at time: Int64) throws(EventStoreError) {
        var left = try Int(database.prepare("SELECT bytes FROM total").number() ?? 0)
        var ids: [Int64] = []
        let oldest = bounds.oldest(at: time)
        let select = try database.prepare("SELECT id, time, length(payload) FROM letters ORDER BY time, id")
        try select.forEachRow(while: { row in
            guard row.int64(1) < oldest || left > bounds.maxBytes else { return false }
            ids.append(row.int64(0))
            left -= Int(row.int64(2))
            return true
        })
        try removeRows(ids)
    }

    private static let matches = "(?2 IS NULL OR namespace = ?2) AND (?3 IS NULL OR reason = ?3)"

    /// Binds the parameters of ``matches``; one that is not bound is null.
    private func bind(_ filter: DeadLetter.Filter, to statement: SQLiteStatement) throws(EventStoreError) {
        if let namespace = filter.namespace { try statement.bind(2, namespace) }
        if let reason = filter.reason { try statement.bind(3, reason.rawValue) }
    }

    /// Reads letters, the oldest first.
    /// - Parameters:
    ///   - filter: The letters to read.
    ///   - id: The id of the letter to continue after.
    /// - Returns: Some of the letters; none if there are no more.
    /// - Throws: If the file cannot be read.
    func letters(
        _ filter: DeadLetter.Filter = DeadLetter.Filter(), after id: Int64 = 0
    ) throws(EventStoreError) -> [DeadLetter] {
        let select = try database.prepare(
            """
            SELECT id, namespace, reason, time, anonymous, payload, checksum, due FROM letters
            WHERE id > ?1 AND \(Self.matches) AND due >= ?4 ORDER BY id
            """)
        try select.bind(1, id).bind(4, filter.isDue ? 1 : 0)
        try bind(filter, to: select)
        var letters: [DeadLetter] = []
        var amount = EventAmount.zero
        try select.forEachRow(while: { row in
            let letter = DeadLetter(row)
            // A damaged letter would spoil its request; it stays until it is too old. Damaged pages may return a letter
            // twice.
            guard letter.checksum == row.int64(6), letter.id > letters.last?.id ?? id else { return true }
            amount += EventAmount(letter.event)
            guard letters.isEmpty || Self.step.covers(amount) else { return false }
            letters.append(letter)
            return true
        })
        return letters
    }

    /// Calls `body` with each letter, the oldest first.
    package func forEach(_ filter: DeadLetter.Filter, _ body: (DeadLetter) -> Void) throws(EventStoreError) {
        var last: Int64 = 0
        while true {
            let letters = try letters(filter, after: last)
            guard let next = letters.last?.id else { return }
            letters.forEach(body)
            last = next
        }
    }

    /// Removes letters by their ids.
    private func removeRows(_ ids: [Int64]) throws(EventStoreError) {
        let delete = try database.prepare("DELETE FROM letters WHERE id = ?")
        for id in ids { try delete.bind(1, id).run() }
    }

    /// Asks the processes of the service to send letters again; a process with their namespace does so within a minute.
    /// - Returns: The number of letters.
    package func requestResend(_ filter: DeadLetter.Filter) throws(EventStoreError) -> Int {
        let update = try database.prepare("UPDATE letters SET due = 1 WHERE \(Self.matches)")
        try bind(filter, to: update)
        try update.run()
        return database.changes
    }

    /// Takes letters of a namespace that are to be sent again; meanwhile no other process takes them.
    /// - Parameters:
    ///   - namespace: The namespace.
    ///   - store: Stores some of them durably; they are removed afterwards. If the process is killed between the two
    ///     steps, they are in both places.
    /// - Throws: The error of `store`, or an error if the file cannot be read or written.
    func takeDue(
        of namespace: String, _ store: ([DeadLetter]) throws(EventStoreError) -> Void
    ) throws(EventStoreError) {
        let filter = DeadLetter.Filter(namespace: namespace, isDue: true)
        var last: Int64 = 0
        while true {
            let next = try database.transaction { () throws(EventStoreError) -> Int64? in
                let letters = try letters(filter, after: last)
                guard let next = letters.last?.id else { return nil }
                try store(letters)
                try removeRows(letters.map(\.id))
                return next
            }
            guard let next else { return }
            last = next
        }
    }
}
