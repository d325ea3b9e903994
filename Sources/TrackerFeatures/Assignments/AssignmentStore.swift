/// A store of the variants that sticky experiments gave to units, for example for a whole fleet.
///
/// A store belongs to one document, whatever its URL is; a store for several documents must keep them apart, for
/// example with a prefix. It must compare keys, names and ids by their bytes, as hashes do, rather than by Unicode
/// equivalence.
///
/// The functions are called from detached tasks on Swift's shared thread pool, so they must not block: at most 1,000
/// lookups in the background at a time, and at most one writing call. A lookup is cancelled after 1 s and a writing
/// call after 10 s; the SDK continues as if it had failed, without waiting for its end. While 1,000 such calls have not
/// returned, the SDK makes no other call.
///
/// ```swift
/// struct RedisAssignments: AssignmentStore {
///     let redis: Redis
///
///     func key(_ unit: ExperimentUnit) -> String { "shop:\(unit.name.utf8.count):\(unit.name):\(unit.id)" }
///
///     func assignments(of unit: ExperimentUnit) async throws -> [StickyAssignment] {
///         try await redis.hgetall(key(unit)).map { experiment, entry in
///             StickyAssignment(unit: unit, experiment: experiment, variant: entry.variant, date: entry.date)
///         }
///     }
///
///     func save(_ assignments: [StickyAssignment]) async throws -> [StickyAssignment] { … }
///
///     func forget(_ unit: ExperimentUnit) async throws -> Int {
///         let count = try await redis.hlen(key(unit))
///         try await redis.del(key(unit))
///         return count
///     }
/// }
/// ```
public protocol AssignmentStore: Sendable {
    /// Returns all assignments of a unit.
    /// - Parameter unit: The unit.
    /// - Returns: The assignments, each ``StickyAssignment/experiment`` once; empty if none is stored.
    /// - Throws: An error if the store cannot answer; sticky experiments then give the unit no variant.
    func assignments(of unit: ExperimentUnit) async throws -> [StickyAssignment]

    /// Stores assignments with their dates. If another variant is stored, other than ``StickyAssignment/replaced``, it
    /// stays, because another process was first; comparing and storing must be one step. The process then gives the
    /// unit the stored variant, so that all processes agree.
    /// - Parameter assignments: The assignments, each pair of unit and experiment once.
    /// - Returns: The stored assignments that stayed in place of given ones; empty if all given ones are stored.
    /// - Throws: An error if not all assignments were stored; the others are dropped, and made again when their units
    ///   are evaluated again.
    @discardableResult
    func save(_ assignments: [StickyAssignment]) async throws -> [StickyAssignment]

    /// Removes all assignments of a unit, for example because a person requests it.
    /// - Parameter unit: The unit.
    /// - Returns: The number of assignments that were removed.
    /// - Throws: An error if not all were removed; ``Experiments/forget(_:)`` throws it to its caller.
    func forget(_ unit: ExperimentUnit) async throws -> Int
}

/// A store that can answer on the evaluating thread: the file in the state directory, and stores in memory.
package protocol LocalAssignmentStore: AssignmentStore {
    /// Returns all assignments of a unit, without waiting for a network or another process.
    /// - Parameter unit: The unit.
    /// - Returns: The assignments; nil if the caller would have to wait.
    /// - Throws: An error if the store cannot be used.
    func storedAssignments(of unit: ExperimentUnit) throws -> [StickyAssignment]?
}
