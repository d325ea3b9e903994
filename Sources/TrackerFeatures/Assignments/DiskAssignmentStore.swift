/// Keeps assignments in a file that the processes of a state directory share.
///
/// Reads run on the caller's thread, each with a connection of its own; writes on a thread of the store's.
final class DiskAssignmentStore: AssignmentStore {
    /// Connections that are not in use.
    private struct Idle {
        var databases: [AssignmentDatabase] = []
        /// Grows when the file is replaced, so that connections to the old one are not used again.
        var generation = 0
    }

    /// More connections than this are closed after use.
    private static let idleLimit = 8

    private let path: String
    private let forkGuard: ForkGuard
    private let log: Log
    private let idle = Locked(Idle())
    private let writer: AssignmentWriter

    /// What was odd about the file.
    let warnings: [String]

    /// Opens the file; a damaged one is set aside.
    /// - Parameters:
    ///   - path: The file; its directory is made where it is not there.
    ///   - forkGuard: Knows whether this is the process that opened it.
    ///   - log: Gets what happens to the file later.
    /// - Throws: Where it cannot be opened.
    init(path: String, forkGuard: ForkGuard, log: Log) throws(EventStoreError) {
        self.path = path
        self.forkGuard = forkGuard
        self.log = log
        let file = AssignmentFile(path: path, forkGuard: forkGuard)
        let warning: String?
        (writer, warning) = try AssignmentWriter.open(file)
        warnings = warning.map { [$0] } ?? []
    }

    func lookUp(_ experiment: String, of unit: ExperimentUnit) throws -> AssignmentLookup {
        let variant = try read { (database) throws(EventStoreError) in
            try database.variant(of: experiment, for: unit)
        }
        return variant.map(AssignmentLookup.found) ?? .absent
    }

    func assignments(of unit: ExperimentUnit) async throws -> [String: String] {
        try read { (database) throws(EventStoreError) in try database.variants(of: unit) }
    }

    func save(_ assignments: [StickyAssignment]) async throws {
        try await write { (database) throws(EventStoreError) in try database.save(assignments) }
    }

    func forget(except experiments: Set<String>) async throws {
        try await write { (database) throws(EventStoreError) in try database.forget(except: experiments) }
    }

    private func read<Result>(
        _ body: (AssignmentDatabase) throws(EventStoreError) -> Result
    ) throws(EventStoreError) -> Result {
        let (free, generation) = idle.withLock { ($0.databases.popLast(), $0.generation) }
        do throws(EventStoreError) {
            let database: AssignmentDatabase
            if let free { database = free } else { database = try connect() }
            let result = try body(database)
            idle.withLock { idle in
                guard idle.generation == generation, idle.databases.count < Self.idleLimit else { return }
                idle.databases.append(database)
            }
            return result
        } catch {
            // The thread that writes finds out whether the file has to go; a reader does not wait for that.
            if error.code == .corrupt { Task.detached { [self] in await repair() } }
            throw error
        }
    }

    private func connect() throws(EventStoreError) -> AssignmentDatabase {
        try AssignmentDatabase(path: path, makesTable: false, forkGuard: forkGuard)
    }

    private func write(
        _ body: @Sendable (AssignmentDatabase) throws(EventStoreError) -> Void
    ) async throws(EventStoreError) {
        do throws(EventStoreError) {
            try await writer.write(body)
        } catch  where error.code == .corrupt {
            await repair()
            try await writer.write(body)
        }
    }

    private func repair() async {
        do throws(EventStoreError) {
            guard let warning = try await writer.repair() else { return }
            log.warning(warning)
        } catch {
            log.error("the damaged file of assignments \(path) cannot be replaced: \(error.reason)")
        }
        idle.discard { idle in
            defer { idle.databases = [] }
            idle.generation += 1
            return idle.databases
        }
    }
}
