/// Writes assignments, on a thread of its own.
actor AssignmentWriter {
    private nonisolated let thread = ThreadExecutor(name: "tracker-sticky")
    private let file: AssignmentFile
    private var database: AssignmentDatabase?

    /// On the writer's thread, as SQLite waits for a disk.
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private init(_ file: AssignmentFile, _ database: sending AssignmentDatabase) {
        self.file = file
        self.database = database
    }

    /// Opens the file.
    /// - Returns: Its writer, and what was odd as a sentence.
    static func open(_ file: AssignmentFile) throws(EventStoreError) -> (writer: AssignmentWriter, warning: String?) {
        let (database, warning) = try file.open(isThorough: false)
        return (AssignmentWriter(file, database), warning)
    }

    func write(_ body: @Sendable (AssignmentDatabase) throws(EventStoreError) -> Void) throws(EventStoreError) {
        if database == nil { (database, _) = try file.open(isThorough: false) }
        if let database { try body(database) }
    }

    /// Reads all of the file and replaces it where it is damaged.
    /// - Returns: What was done as a sentence; nil where the file is sound, as where another process replaced it.
    func repair() throws(EventStoreError) -> String? {
        database = nil
        let warning: String?
        (database, warning) = try file.open(isThorough: true)
        return warning
    }
}
