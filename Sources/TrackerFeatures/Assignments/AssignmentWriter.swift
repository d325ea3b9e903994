/// Writes assignments, on a thread of its own.
actor AssignmentWriter {
    private nonisolated let thread = ThreadExecutor(name: "tracker-sticky")
    private let file: AssignmentFile
    private var database: AssignmentDatabase?
    /// The number of assignments that were saved since the rows were counted; nil if they never were.
    private var uncounted: Int?

    /// On the writer's thread, as SQLite waits for a disk.
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private init(_ file: AssignmentFile, _ database: sending AssignmentDatabase) {
        self.file = file
        self.database = database
    }

    /// Opens the file.
    /// - Parameters:
    ///   - file: The file.
    ///   - prepare: Prepares it for use, and returns what was odd.
    /// - Throws: If it cannot be opened.
    /// - Returns: Its writer, and what was odd as sentences.
    static func open(
        _ file: AssignmentFile, _ prepare: (AssignmentDatabase) -> [String]
    ) throws(EventStoreError) -> (writer: AssignmentWriter, warnings: [String]) {
        let (database, warning) = try file.open(isThorough: false)
        let warnings = [warning].compactMap(\.self) + prepare(database)
        return (AssignmentWriter(file, database), warnings)
    }

    func write<Result: Sendable>(
        _ body: @Sendable (AssignmentDatabase) throws(EventStoreError) -> Result
    ) throws(EventStoreError) -> Result {
        if let database { return try body(database) }
        let (opened, _) = try file.open(isThorough: false)
        database = opened
        return try body(opened)
    }

    /// Removes the oldest assignments, if so many were saved that there can be too many.
    ///
    /// Counting takes a look at each row, so it is done for each hundredth of the limit.
    /// - Parameters:
    ///   - limit: How many assignments may stay.
    ///   - saved: How many were saved since the last call.
    /// - Throws: If they cannot be counted or removed.
    /// - Returns: The number of assignments that were removed.
    func removeOldest(downTo limit: Int, saved: Int) throws(EventStoreError) -> Int {
        if let uncounted, uncounted + saved < max(1, limit / 100) {
            self.uncounted = uncounted + saved
            return 0
        }
        let count = try database?.removeOldest(downTo: limit) ?? 0
        uncounted = 0
        return count
    }

    /// Reads all of the file and replaces it if it is damaged.
    /// - Returns: What was done as a sentence; nil if the file is sound, for example because another process replaced it.
    func repair() throws(EventStoreError) -> String? {
        database = nil
        let warning: String?
        (database, warning) = try file.open(isThorough: true)
        return warning
    }
}
