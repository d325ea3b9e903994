import FoundationEssentials
import Synchronization

/// Keeps assignments in a file that the processes of a state directory share, whichever documents they have.
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
    private let document: String
    private let time: any TimeSource
    private let former: FormerAssignments
    private let log: Log
    private let limit: Int
    private let evicted: @Sendable (Int) -> Void
    private let idle = Locked(Idle())
    private let writer: AssignmentWriter
    /// The day on which the document was noted as in use.
    private let lastDay = Atomic<Int64>(0)

    /// What was odd about the file.
    let warnings: [String]

    /// Opens the file, and takes over the files of earlier releases; damaged ones are set aside.
    /// - Parameters:
    ///   - path: The file; its directory is created if it is missing.
    ///   - document: The document whose experiments have the assignments; experiments stay while any document has them.
    ///   - limit: About how many assignments are kept; the oldest are removed first.
    ///   - log: Gets what happens to the file later.
    ///   - time: The clock.
    ///   - evicted: Gets how many assignments were removed because of the limit.
    /// - Throws: If it cannot be opened.
    init(
        path: String, document: String, limit: Int = .max, log: Log, time: any TimeSource,
        evicted: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(EventStoreError) {
        (self.path, self.document, self.time) = (path, document, time)
        self.limit = max(1, limit)
        self.log = log
        self.evicted = evicted
        let former = FormerAssignments(directory: StandardDirectory.parent(of: path))
        self.former = former
        (writer, warnings) = try AssignmentWriter.open(AssignmentFile(path: path, time: time)) {
            database in
            // Not worth failing for: the next write of an assignment notes the document too.
            try? database.touch(document, at: time.now)
            return former.move(to: database, log: log, at: time.now)
        }
    }

    func lookUp(_ experiment: String, of unit: ExperimentUnit) throws -> AssignmentLookup {
        touchDaily()
        let assignment = try read { (database) throws(EventStoreError) in
            try database.assignment(of: experiment, for: unit)
        }
        return assignment.map(AssignmentLookup.found) ?? .absent
    }

    /// Notes once a day that the document is in use, also if no assignment is stored.
    private func touchDaily() {
        let day = time.now.milliseconds / 86_400_000
        guard lastDay.load(ordering: .relaxed) != day, lastDay.exchange(day, ordering: .relaxed) != day else { return }
        Task.detached { [self] in
            // The next day tries again, and assignments stay for 90.
            try? await write { [document, time] (database) throws(EventStoreError) in
                try database.touch(document, at: time.now)
            }
        }
    }

    func assignments(of unit: ExperimentUnit) async throws -> [StickyAssignment] {
        try read { (database) throws(EventStoreError) in try database.assignments(of: unit) }
    }

    @discardableResult
    func save(_ assignments: [StickyAssignment]) async throws -> [StickyAssignment] {
        let others = try await write { [document, time] (database) throws(EventStoreError) in
            try database.save(assignments, for: document, at: time.now)
        }
        do throws(EventStoreError) {
            let count = try await writer.removeOldest(downTo: limit, saved: assignments.count)
            if count > 0 { evicted(count) }
        } catch {
            // What was to be saved is saved.
            log.warning("the oldest assignments in \(path) cannot be removed: \(error.reason)")
        }
        return others
    }

    func forget(except experiments: [String]) async throws {
        let retained = Set(experiments.map(ExactText.init))
        try await write { [document, time] (database) throws(EventStoreError) in
            try database.retain(retained, for: document, at: time.now)
        }
    }

    func forget(_ unit: ExperimentUnit) async throws -> Int {
        try await write { [former] (database) throws(EventStoreError) in
            let (count, fault) = former.forget(unit)
            let own = try database.forget(unit)
            if let fault { throw fault }
            return count + own
        }
    }

    func forget(_ experiment: String, before date: Date) async throws {
        try await write { (database) throws(EventStoreError) in try database.forget(experiment, before: date) }
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
        try AssignmentDatabase(path: path)
    }

    private func write<Result: Sendable>(
        _ body: @Sendable (AssignmentDatabase) throws(EventStoreError) -> Result
    ) async throws(EventStoreError) -> Result {
        do throws(EventStoreError) {
            return try await writer.write(body)
        } catch  where error.code == .corrupt {
            await repair()
            return try await writer.write(body)
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
