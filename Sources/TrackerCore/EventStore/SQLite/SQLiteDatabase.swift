import TrackerPlatform
import TrackerSQLite

/// A connection to an SQLite database, for one thread at a time.
package final class SQLiteDatabase {
    private var handle: OpaquePointer?
    /// The process that opened it.
    private let process = getpid()
    private let path: String
    /// The bound of a statement's steps for small files; one of SQLite's steps takes some nanoseconds.
    private static let leastSteps = 1 << 24
    /// Each row takes some bytes, and some steps for each byte.
    private static let stepsPerByte = 4
    private static let stepsPerLook: Int32 = 1 << 17
    /// The number of steps of the running statement.
    fileprivate var steps = 0

    /// Opens a database file, and creates it if it is missing; it may not be a symbolic link.
    ///
    /// A statement that takes more steps than the file's size can require fails as `.corrupt`, so that none loops over
    /// damaged pages.
    /// - Parameters:
    ///   - path: The file.
    ///   - patience: The maximum wait for another writing process per statement, in milliseconds; 1,000 by default.
    /// - Throws: If it cannot be opened.
    package init(path: String, patience: Int32 = 1_000) throws(EventStoreError) {
        self.path = path
        try EventStoreError.converted { () throws(FileError) in
            for suffix in ["", "-wal", "-shm", "-journal"] { try StandardDirectory.checkNoLink(path + suffix) }
        }
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK else {
            let failure = EventStoreError(code: code, handle)
            sqlite3_close_v2(handle)
            handle = nil
            throw failure
        }
        sqlite3_busy_timeout(handle, patience)
        // A damaged schema must not do more than fail. Older releases of SQLite do not support all options.
        _ = tracker_sqlite3_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        _ = tracker_sqlite3_configure(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        let this = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            handle, Self.stepsPerLook,
            { this in
                guard let this else { return 0 }
                return Unmanaged<SQLiteDatabase>.fromOpaque(this).takeUnretainedValue().mayGoOn() ? 0 : 1
            }, this)
        // A failure is harmless: a page with overlapping cells is then found later.
        try? execute("PRAGMA cell_size_check = ON")
    }

    private func mayGoOn() -> Bool {
        steps += Int(Self.stepsPerLook)
        guard steps > Self.leastSteps else { return true }
        var bytes = 0
        for suffix in ["", "-wal", "-journal"] {
            var information = stat()
            if stat(path + suffix, &information) == 0 { bytes += Int(information.st_size) }
        }
        return steps / Self.stepsPerByte < bytes
    }

    deinit {
        // A forked child would treat the parent's lock as its own, and remove the log that the parent still writes.
        guard getpid() == process else { return }
        sqlite3_close_v2(handle)
    }

    /// Runs statements without results.
    package func execute(_ sql: String) throws(EventStoreError) {
        steps = 0
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw schemaFailure(code) }
    }

    /// The error of a statement that SQLite cannot compile: the SDK's statements are correct, so a table or a column is
    /// missing.
    private func schemaFailure(_ code: Int32) -> EventStoreError {
        let failure = EventStoreError(code: code, handle)
        return code == SQLITE_ERROR ? EventStoreError(.corrupt, reason: failure.reason) : failure
    }

    package func prepare(_ sql: String) throws(EventStoreError) -> SQLiteStatement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw schemaFailure(code) }
        return SQLiteStatement(statement, of: self)
    }

    /// Runs `body` in a transaction, which is committed completely or not at all.
    package func transaction<Result>(_ body: () throws(EventStoreError) -> Result) throws(EventStoreError) -> Result {
        try execute("BEGIN IMMEDIATE")
        do throws(EventStoreError) {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // After some failures, such as a full disk, SQLite has already rolled back.
            sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
            throw error
        }
    }

    /// The number of rows that the last statement changed.
    package var changes: Int { Int(sqlite3_changes(handle)) }

    fileprivate func failure(_ code: Int32) -> EventStoreError {
        EventStoreError(code: code, handle)
    }
}

/// A prepared statement for repeated use.
package final class SQLiteStatement {
    private let statement: OpaquePointer
    private let database: SQLiteDatabase
    /// Whether a parameter points to bytes of the caller, which are invalid after the run.
    private var borrowsBytes = false

    fileprivate init(_ statement: OpaquePointer, of database: SQLiteDatabase) {
        self.statement = statement
        self.database = database
    }

    deinit {
        sqlite3_finalize(statement)
    }

    @discardableResult
    package func bind(_ index: Int32, _ value: Int64) throws(EventStoreError) -> Self {
        try check(sqlite3_bind_int64(statement, index, value))
    }

    /// Binds bytes, which must stay in place until the statement has run.
    @discardableResult
    func bind(_ index: Int32, _ bytes: UnsafeRawBufferPointer) throws(EventStoreError) -> Self {
        borrowsBytes = true
        return try check(sqlite3_bind_blob(statement, index, bytes.baseAddress, try Self.length(bytes.count), nil))
    }

    /// Binds a text, of which SQLite keeps a copy.
    @discardableResult
    package func bind(_ index: Int32, _ text: String) throws(EventStoreError) -> Self {
        // SQLITE_TRANSIENT of sqlite3.h, which is a cast that Swift does not see.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return try check(sqlite3_bind_text(statement, index, text, try Self.length(text.utf8.count), transient))
    }

    /// Runs the statement for its effect.
    package func run() throws(EventStoreError) {
        try forEachRow(while: { _ in false })
    }

    /// Runs the statement and calls `body` with each row.
    package func forEachRow(_ body: (SQLiteStatement) -> Void) throws(EventStoreError) {
        try forEachRow(while: { row in
            body(row)
            return true
        })
    }

    /// Runs the statement and calls `body` with its rows, as long as it returns true.
    package func forEachRow(while body: (SQLiteStatement) -> Bool) throws(EventStoreError) {
        database.steps = 0
        defer { reset() }
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw database.failure(code) }
            if !body(self) { return }
        }
    }

    private func reset() {
        sqlite3_reset(statement)
        guard borrowsBytes else { return }
        sqlite3_clear_bindings(statement)
        borrowsBytes = false
    }

    private func check(_ code: Int32) throws(EventStoreError) -> Self {
        guard code == SQLITE_OK else { throw database.failure(code) }
        return self
    }

    private static func length(_ count: Int) throws(EventStoreError) -> Int32 {
        guard let length = Int32(exactly: count) else {
            throw EventStoreError(.failed, reason: "a value of \(count) bytes is too large for the store")
        }
        return length
    }

    /// The first column of the first row, nil without a row.
    package func number() throws(EventStoreError) -> Int64? {
        var result: Int64?
        try forEachRow { result = $0.int64(0) }
        return result
    }

    package func int64(_ column: Int32) -> Int64 {
        sqlite3_column_int64(statement, column)
    }

    /// A column of text.
    package func text(_ column: Int32) -> String {
        let blob = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeRawBufferPointer(start: blob, count: count), as: UTF8.self)
    }

    package func bytes(_ column: Int32) -> [UInt8] {
        let blob = sqlite3_column_blob(statement, column)
        return Array(UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_column_bytes(statement, column))))
    }
}

extension EventStoreError {
    fileprivate init(code: Int32, _ handle: OpaquePointer?) {
        // SQLite detects a full disk, but reports a quota and a file size limit as I/O errors. Its own function for the
        // system's error returns none for a commit.
        let cause = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF) ? errno : 0
        let kind: NamedCode<EventStoreError> =
            switch code & 0xFF {
            case SQLITE_FULL: .full
            case _ where [ENOSPC, EDQUOT, EFBIG].contains(cause): .full
            // Only a statement that took too many steps is interrupted.
            case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_INTERRUPT: .corrupt
            case SQLITE_CANTOPEN, SQLITE_READONLY: .unavailable
            case SQLITE_BUSY: .busy
            default: .failed
            }
        var message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
        if cause != 0 { message += ": " + String(cString: strerror(cause)) }
        self.init(kind, reason: "SQLite says: \(message) (code \(code))")
    }
}
