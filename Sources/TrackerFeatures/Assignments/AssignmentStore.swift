/// Keeps the variants that units were given by sticky experiments, for instance where a whole fleet sees them.
///
/// A store belongs to one document's URL; one that several documents share must tell them apart, for example by a prefix.
/// ``lookUp(_:of:)`` is called on the thread that evaluates. The asynchronous functions are called from detached tasks on
/// Swift's shared thread pool, so they must not block: at most 1,000 loads at a time unasked, and at most one ``keep(_:)`` or
/// ``forget(except:)``. A call that takes longer than ``ExperimentOptions/storeTimeout`` is cancelled, and the next one does
/// not wait for its end.
///
/// ```swift
/// struct RedisAssignments: AssignmentStore {
///     let redis: Redis
///
///     func assignments(of unit: ExperimentUnit) async throws -> [String: String] {
///         try await redis.hgetall("shop:\(unit.name):\(unit.id)")
///     }
///
///     func save(_ assignments: [StickyAssignment]) async throws { … }
///
///     func forget(except experiments: Set<String>) async throws { … }
/// }
/// ```
public protocol AssignmentStore: Sendable {
    /// All that a unit was given.
    /// - Parameter unit: The unit.
    /// - Returns: The variants' names by the experiments' ids; empty where nothing is stored.
    /// - Throws: Where the store cannot tell; the unit then has no variant of a sticky experiment.
    func assignments(of unit: ExperimentUnit) async throws -> [String: String]

    /// Keeps assignments. Where another variant is stored, other than ``StickyAssignment/replaced``, that one should stay:
    /// another process was first.
    /// - Parameter assignments: What is to be kept, each pair of unit and experiment once.
    /// - Throws: Where they were not all kept; they are lost then, and made again when the units are seen again.
    func save(_ assignments: [StickyAssignment]) async throws

    /// Forgets what was given by all experiments but some.
    /// - Parameter experiments: The ids of the sticky experiments of the document in use.
    /// - Throws: Where it was not all forgotten; it is tried again with the next call to ``keep(_:)``.
    func forget(except experiments: Set<String>) async throws

    /// Looks for one assignment without waiting for a network; called on the thread that evaluates.
    /// - Parameters:
    ///   - experiment: The experiment's id.
    ///   - unit: The unit.
    /// - Throws: Where the store failed; the experiment then behaves as if it were not sticky.
    /// - Returns: What is stored; ``AssignmentLookup/unknown``, which is built in, where that takes a network to say.
    func lookUp(_ experiment: String, of unit: ExperimentUnit) throws -> AssignmentLookup
}

/// What a store can say at once.
@nonexhaustive
public enum AssignmentLookup: Sendable, Hashable {
    /// The unit was given this variant.
    case found(String)
    /// The unit was given none.
    case absent
    /// The store has to be waited for.
    case unknown
}

extension AssignmentStore {
    /// Says that the store has to be waited for.
    /// - Parameters:
    ///   - experiment: The experiment's id.
    ///   - unit: The unit.
    /// - Returns: ``AssignmentLookup/unknown``.
    public func lookUp(_ experiment: String, of unit: ExperimentUnit) -> AssignmentLookup { .unknown }
}
