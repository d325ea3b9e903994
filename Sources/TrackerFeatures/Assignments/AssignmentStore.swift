public import FoundationEssentials

/// A store of the variants that sticky experiments gave to units, for example for a whole fleet.
///
/// A store belongs to one document, whatever its URL is; a store that several documents share must keep them apart, for
/// example with a prefix. It must compare keys, names and ids by their bytes, as hashes do, and not by Unicode equivalence.
///
/// ``lookUp(_:of:)`` is called on the thread that evaluates. The asynchronous functions are called from detached tasks
/// on Swift's shared thread pool, so they must not block: at most 1,000 loads in the background at a time, and at most
/// one call that writes. A call that takes longer than ``ExperimentOptions/storeTimeout`` is cancelled, and the next
/// one does not wait for its end.
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
///     func forget(except experiments: [String]) async throws { … }
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

    /// Stores assignments with their dates. If another variant is stored, other than ``StickyAssignment/replaced``, that one
    /// stays, because another process was first; comparing and storing must be one step. The process then gives the unit
    /// the stored variant, so that all processes agree.
    /// - Parameter assignments: The assignments, each pair of unit and experiment once.
    /// - Returns: The stored assignments that stayed in the place of given ones; empty if all given ones are stored.
    /// - Throws: An error if they were not all stored; the others are lost, and are made again when their units are
    ///   evaluated again.
    @discardableResult
    func save(_ assignments: [StickyAssignment]) async throws -> [StickyAssignment]

    /// Removes the assignments of all experiments except the given ones.
    /// - Parameter experiments: The keys of the sticky experiments of the document in use, see
    ///   ``StickyAssignment/experiment``.
    /// - Throws: An error if not all were removed; the SDK retries it with the next call to ``save(_:)``.
    func forget(except experiments: [String]) async throws

    /// Removes all assignments of a unit, for example because a person requests it.
    /// - Parameter unit: The unit.
    /// - Returns: The number of assignments that were removed.
    /// - Throws: An error if not all were removed; the caller of ``Experiments/forget(_:)`` gets it.
    func forget(_ unit: ExperimentUnit) async throws -> Int

    /// Removes the assignments of an experiment that are older than its ``Experiment/stickyLifetime``. The built-in
    /// implementation does nothing: such assignments are never used again, so this only saves space.
    /// - Parameters:
    ///   - experiment: The experiment's key, see ``StickyAssignment/experiment``.
    ///   - date: The date before which assignments are removed.
    /// - Throws: An error if not all were removed; the SDK retries it later.
    func forget(_ experiment: String, before date: Date) async throws

    /// Looks up one assignment without waiting for a network; called on the thread that evaluates.
    /// - Parameters:
    ///   - experiment: The experiment's key, see ``StickyAssignment/experiment``.
    ///   - unit: The unit.
    /// - Returns: The result; the built-in implementation returns ``AssignmentLookup/unknown``, for a store that needs
    ///   a network.
    /// - Throws: An error if the store failed; the experiment then behaves as if it were not sticky.
    func lookUp(_ experiment: String, of unit: ExperimentUnit) throws -> AssignmentLookup
}

/// The immediate result of a lookup.
@nonexhaustive
public enum AssignmentLookup: Sendable, Hashable {
    /// The unit was given this variant at this time.
    case found(StickyAssignment)
    /// The unit was given no variant.
    case absent
    /// The store has not loaded the unit yet.
    case unknown
}

extension AssignmentStore {
    /// Does nothing.
    /// - Parameters:
    ///   - experiment: The experiment's key.
    ///   - date: The date before which assignments may be removed.
    public func forget(_ experiment: String, before date: Date) async {}

    /// Returns that the store has not loaded the unit yet.
    /// - Parameters:
    ///   - experiment: The experiment's key.
    ///   - unit: The unit.
    /// - Returns: ``AssignmentLookup/unknown``.
    public func lookUp(_ experiment: String, of unit: ExperimentUnit) -> AssignmentLookup { .unknown }
}
