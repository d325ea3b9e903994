public import FoundationEssentials
public import TrackerFeatures

/// A store of sticky assignments in Redis, so that a fleet gives each unit one variant.
///
/// ```swift
/// let store = RedisAssignmentStore(RedisOptions(host: "redis.internal"))
/// var options = SetupOptions()
/// options.experiments.assignmentStore = store
/// ```
///
/// Of several processes that save an assignment of one unit at once, the first one decides. All calls work on a thread of the
/// store's own, over one connection, with the commands of concurrent calls sent together; a lost connection is made again with
/// the next call. While the server is gone, calls fail at once or after ``RedisOptions/timeout``, and sticky experiments give
/// no variant (see `AssignmentStore`).
///
/// Each unit is one hash, `PREFIX:unit:LENGTH:NAME:ID`, with a field for each experiment, `TIME VARIANT`, where the time is in
/// milliseconds since 1970; the set of the experiments that have assignments is `PREFIX:experiments`. It needs one primary server,
/// from version 3.2 on. It does not follow the redirects of Redis Cluster; with a hash tag as ``RedisOptions/prefix``, such as
/// `{shop}`, one node of a cluster has all keys, and the store can use that node. What a server loses, because it keeps nothing
/// on disk or evicts keys, is assigned again.
public final class RedisAssignmentStore: AssignmentStore {
    private let worker: RedisWorker
    private let prefix: String
    private let lifetime: Int

    /// Creates a store. It connects with the first call.
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

    /// Stores assignments. Another stored variant stays, unless it is the one to replace.
    /// - Parameter assignments: The assignments.
    /// - Returns: What stays in their place.
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
        // Each command has one key: Redis Cluster refuses keys of different slots. The set comes first, so that no assignment
        // is of an experiment that it lacks.
        let experiments = ["SADD", experimentsKey] + assignments.map(\.experiment)
        let replies = try await worker.send([experiments] + saves)
        _ = try replies[0].integer
        return try zip(assignments, replies.dropFirst()).compactMap { given, reply in
            let other = try reply.text
            if other.isEmpty { return nil }
            return try StickyAssignment(given.unit, experiment: given.experiment, stored: other)
        }
    }

    /// Removes the assignments of all experiments except the given ones. It reads all keys of the database if there are
    /// other experiments, else none.
    /// - Parameter experiments: The keys of the experiments that stay.
    /// - Throws: ``RedisError`` if not all were removed.
    public func forget(except experiments: [String]) async throws {
        let retained = Set(experiments.map { Array($0.utf8) })
        let stored = try await call(["SMEMBERS", experimentsKey]).list.map { reply throws(RedisError) in try reply.text
        }
        let removed = stored.filter { !retained.contains(Array($0.utf8)) }
        guard !removed.isEmpty else { return }
        // The set last, so that a call that failed is repeated by the next one.
        try await eachUnit { keys in keys.map { ["HDEL", $0] + removed } }
        _ = try await call(["SREM", experimentsKey] + removed).integer
    }

    /// Removes all assignments of a unit.
    /// - Parameter unit: The unit.
    /// - Returns: The number of assignments that were removed.
    /// - Throws: ``RedisError`` if the server did not answer.
    public func forget(_ unit: ExperimentUnit) async throws -> Int {
        try await call(["EVAL", Self.forgetting, "1", key(of: unit)]).integer
    }

    /// Removes the assignments of an experiment that are older than a date. It reads all keys of the database.
    /// - Parameters:
    ///   - experiment: The experiment's key.
    ///   - date: The date before which assignments are removed.
    /// - Throws: ``RedisError`` if not all were removed.
    public func forget(_ experiment: String, before date: Date) async throws {
        try await eachUnit { keys in
            keys.map { ["EVAL", Self.pruning, "1", $0, experiment, "\(date.milliseconds)"] }
        }
    }

    /// Closes the connection after all calls have returned; later calls fail.
    public func close() {
        worker.close()
    }
}

extension RedisAssignmentStore {
    private var experimentsKey: String { "\(prefix):experiments" }

    /// The length keeps the unit `a` with the id `b:c` apart from the unit `a:b` with the id `c`.
    private func key(of unit: ExperimentUnit) -> String {
        "\(prefix):unit:\(unit.name.utf8.count):\(unit.name):\(unit.id)"
    }

    private func call(_ command: [String]) async throws(RedisError) -> RedisReply {
        try await worker.send([command])[0]
    }

    /// Sends commands for all units, some hundred at a time.
    private func eachUnit(_ commands: ([String]) -> [[String]]) async throws {
        let pattern = "\(Self.escaped(prefix)):unit:*"
        var cursor = "0"
        repeat {
            // Between two pieces, because the caller may not wait any more.
            try Task.checkCancellation()
            let page = try await call(["SCAN", cursor, "MATCH", pattern, "COUNT", "500"]).list
            guard page.count == 2 else { throw RedisError(code: .unexpected, reason: "SCAN has two answers") }
            cursor = try page[0].text
            let keys = try page[1].list.map { reply throws(RedisError) in try reply.text }
            for reply in try await worker.send(commands(keys)) { _ = try reply.integer }
        } while cursor != "0"
    }

    /// A text whose characters mean themselves in a pattern.
    private static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if #"*?[]\^-"#.unicodeScalars.contains(scalar) { escaped.append("\\") }
            escaped.append(scalar)
        }
        return String(escaped)
    }

    // Scripts, because nothing else runs between their commands.

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

    private static let pruning = """
        local old = redis.call('HGET', KEYS[1], ARGV[1])
        if old and tonumber(string.match(old, '^%S+')) < tonumber(ARGV[2]) then
            return redis.call('HDEL', KEYS[1], ARGV[1])
        end
        return 0
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
