import Glibc
import TrackerSQLite

/// A connection to an SQLite database, for one thread at a time.
package final class SQLiteDatabase {
    private var handle: OpaquePointer?
    /// The process that opened it.
    private let process = getpid()

    /// Opens a database file, and creates it if it is missing; it may not be a symbolic link.
    package init(path: String) throws(EventStoreError) {
        do throws(FileError) {
            for suffix in ["", "-wal", "-shm", "-journal"] { try StandardDirectory.checkNoLink(path + suffix) }
        } catch {
            throw EventStoreError(.unavailable, reason: error.description, cause: error)
        }
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK else {
            let failure = EventStoreError(code: code, handle)
            sqlite3_close_v2(handle)
            handle = nil
            throw failure
        }
        sqlite3_busy_timeout(handle, 1000)
    }

    deinit {
        // A forked child would take the parent's lock for its own, and remove the log that the parent goes on writing to.
        guard getpid() == process else { return }
        sqlite3_close_v2(handle)
    }

    /// Runs statements that answer nothing.
    package func execute(_ sql: String) throws(EventStoreError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw EventStoreError(code: code, handle) }
    }

    package func prepare(_ sql: String) throws(EventStoreError) -> SQLiteStatement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard code == SQLITE_OK, let statement else { throw EventStoreError(code: code, handle) }
        return SQLiteStatement(statement, of: self)
    }

    /// Runs `body` in a transaction that holds all of it or nothing.
    package func transaction<Result>(_ body: () throws(EventStoreError) -> Result) throws(EventStoreError) -> Result {
        try execute("BEGIN IMMEDIATE")
        do throws(EventStoreError) {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // After some failures, as a full disk, SQLite has rolled back by itself and there is nothing left to do.
            sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
            throw error
        }
    }

    /// How many rows the last statement changed.
    package var changes: Int { Int(sqlite3_changes(handle)) }

    fileprivate func failure(_ code: Int32) -> EventStoreError {
        EventStoreError(code: code, handle)
    }
}

/// A prepared statement, to be run many times.
package final class SQLiteStatement {
    private let statement: OpaquePointer
    private let database: SQLiteDatabase
    /// Whether a parameter points to bytes of the caller's, which are gone after the run.
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

    /// Binds bytes that stay where they are until the statement has run.
    @discardableResult
    func bind(_ index: Int32, _ bytes: UnsafeRawBufferPointer) throws(EventStoreError) -> Self {
        borrowsBytes = true
        return try check(
            sqlite3_bind_blob(statement, index, bytes.baseAddress, try Self.length(bytes.count), nil))
    }

    /// Binds a text, of which SQLite keeps a copy.
    @discardableResult
    package func bind(_ index: Int32, _ text: String) throws(EventStoreError) -> Self {
        // SQLITE_TRANSIENT of sqlite3.h, which is a cast that Swift does not see.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return try check(
            sqlite3_bind_text(statement, index, text, try Self.length(text.utf8.count), transient))
    }

    /// Runs the statement for its effect.
    package func run() throws(EventStoreError) {
        defer { reset() }
        let code = sqlite3_step(statement)
        guard code == SQLITE_DONE || code == SQLITE_ROW else { throw database.failure(code) }
    }

    /// Runs the statement and gives each of its rows to `body`.
    package func forEachRow(_ body: (SQLiteStatement) -> Void) throws(EventStoreError) {
        try forEachRow(while: { row in
            body(row)
            return true
        })
    }

    /// Runs the statement and gives its rows to `body` for as long as it returns true.
    package func forEachRow(while body: (SQLiteStatement) -> Bool) throws(EventStoreError) {
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

    /// Calls `body` with the bytes of a column, which are SQLite's until the next row.
    func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let blob = sqlite3_column_blob(statement, column)
        return body(UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_column_bytes(statement, column))))
    }

    /// Whether a column has no value.
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

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
        // SQLite knows a full disk; a quota and a limit on files are errors of I/O to it. Its own function for the system's
        // error has none of a commit.
        let cause = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF) ? errno : 0
        let kind: Code =
            switch code & 0xFF {
            case SQLITE_FULL: .full
            case _ where [ENOSPC, EDQUOT, EFBIG].contains(cause): .full
            case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
            case SQLITE_CANTOPEN, SQLITE_READONLY: .unavailable
            default: .failed
            }
        var message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
        if cause != 0 { message += ": " + String(cString: strerror(cause)) }
        self.init(kind, reason: "SQLite says: \(message) (code \(code))")
    }
}
