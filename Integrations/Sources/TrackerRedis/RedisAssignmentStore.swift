import FoundationEssentials
public import TrackerFeatures

/// A store of sticky assignments in Redis, so that a whole fleet gives each unit the same variant.
///
/// ```swift
/// let store = RedisAssignmentStore(RedisOptions(host: "redis.internal"))
/// var options = SetupOptions()
/// options.experiments.assignmentStore = store
/// ```
///
/// If several processes save an assignment of one unit at once, the first one applies. All calls use one thread and one
/// connection of the store, and the commands of concurrent calls are sent together; a lost connection is opened again
/// at the next call. While the server is unreachable, calls fail at once or after ``RedisOptions/timeout``, and sticky
/// experiments give no variant (see `AssignmentStore`).
///
/// Each unit is one hash, `PREFIX:unit:LENGTH:NAME:ID`, with a field for each experiment, `TIME VARIANT`, in which the
/// time is in milliseconds since 1970. It needs one primary server of version 3.2 or later. It does not follow the
/// redirects of Redis Cluster; with a hash tag as ``RedisOptions/prefix``, such as `{shop}`, one node of a cluster has
/// all keys, and the store can use that node. Assignments that the server loses, because it does not persist them or
/// evicts keys, are made again.
public final class RedisAssignmentStore: AssignmentStore {
    private let worker: RedisWorker
    private let prefix: String
    private let lifetime: Int

    /// Creates a store. It connects when it is first used.
    /// - Parameter options: The server's address and timeouts.
    public init(_ options: RedisOptions) {
        worker = RedisWorker(options)
        prefix = options.prefix
        lifetime = options.lifetime.map { max(1, Int($0.components.seconds)) } ?? 0
    }

    deinit {
        worker.close()
    }

    /// Returns all assignments of a unit.
    /// - Parameter unit: The unit.
    /// - Returns: The assignments; empty if none is stored.
    /// - Throws: ``RedisError`` if the server did not answer, or if a stored value was not written by this store.
    public func assignments(of unit: ExperimentUnit) async throws -> [StickyAssignment] {
        let fields = try await call(["HGETALL", key(of: unit)]).list
        return try stride(from: 0, to: fields.count - 1, by: 2).map { index in
            try StickyAssignment(unit, experiment: fields[index].text, stored: fields[index + 1].text)
        }
    }

    /// Stores assignments. Another stored variant stays, unless the assignment replaces it.
    /// - Parameter assignments: The assignments.
    /// - Returns: The stored assignments that stayed in place of given ones.
    /// - Throws: ``RedisError`` if not all were stored.
    @discardableResult
    public func save(_ assignments: [StickyAssignment]) async throws -> [StickyAssignment] {
        guard !assignments.isEmpty else { return [] }
        let saves = assignments.map { assignment in
            [
                "EVAL", Self.saving, "1", key(of: assignment.unit), assignment.experiment,
                assignment.variant, "\(assignment.date.milliseconds)", assignment.replaced == nil ? "0" : "1",
                assignment.replaced ?? "", "\(lifetime)",
            ]
        }
        // Each command has one key, because Redis Cluster rejects keys of different slots.
        return try zip(assignments, try await worker.send(saves)).compactMap { given, reply in
            let other = try reply.text
            if other.isEmpty { return nil }
            return try StickyAssignment(given.unit, experiment: given.experiment, stored: other)
        }
    }

    /// Removes all assignments of a unit.
    /// - Parameter unit: The unit.
    /// - Returns: The number of assignments that were removed.
    /// - Throws: ``RedisError`` if the server did not answer.
    public func forget(_ unit: ExperimentUnit) async throws -> Int {
        try await call(["EVAL", Self.forgetting, "1", key(of: unit)]).integer
    }

    /// Closes the connection after all pending calls have returned; later calls fail.
    public func close() {
        worker.close()
    }
}

extension RedisAssignmentStore {
    /// The length distinguishes the unit `a` with the id `b:c` from the unit `a:b` with the id `c`.
    private func key(of unit: ExperimentUnit) -> String {
        "\(prefix):unit:\(unit.name.utf8.count):\(unit.name):\(unit.id)"
    }

    private func call(_ command: [String]) async throws(RedisError) -> RedisReply {
        try await worker.send([command])[0]
    }

    // Scripts, because they run atomically.

    private static let saving = """
        local old = redis.call('HGET', KEYS[1], ARGV[1])
        if not old or (ARGV[4] == '1' and string.match(old, '^%S+ (.*)$') == ARGV[5]) then
            redis.call('HSET', KEYS[1], ARGV[1], ARGV[3] .. ' ' .. ARGV[2])
            if ARGV[6] ~= '0' then redis.call('EXPIRE', KEYS[1], ARGV[6]) end
            return ''
        end
        return old
        """

    private static let forgetting = """
        local count = redis.call('HLEN', KEYS[1])
        redis.call('DEL', KEYS[1])
        return count
        """
}

extension StickyAssignment {
    fileprivate init(_ unit: ExperimentUnit, experiment: String, stored: String) throws(RedisError) {
        let parts = stored.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let milliseconds = Int64(parts[0]) else {
            throw RedisError(code: .unexpected, reason: "an assignment is not one of this store")
        }
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        self.init(unit: unit, experiment: experiment, variant: String(parts[1]), date: date)
    }
}

extension Date {
    fileprivate var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}
