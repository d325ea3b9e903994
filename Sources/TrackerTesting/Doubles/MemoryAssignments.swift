public import TrackerFeatures

/// A store of sticky assignments in memory that answers at once.
///
/// ```swift
/// var options = SetupOptions()
/// options.experiments.assignmentStore = MemoryAssignments()
/// ```
public final class MemoryAssignments: AssignmentStore, LocalAssignmentStore {
    private let stored = Locked<[ExperimentUnit: [ExactText: StickyAssignment]]>([:])

    /// Creates an empty store.
    public init() {}

    /// All assignments, in the order of their experiments and units.
    public var assignments: [StickyAssignment] {
        stored.withLock { $0.values.flatMap(\.values) }.sorted {
            ($0.experiment, $0.unit.name, $0.unit.id) < ($1.experiment, $1.unit.name, $1.unit.id)
        }
    }

    /// Stores an assignment in place of any other of its unit and experiment.
    /// - Parameter assignment: The assignment.
    public func set(_ assignment: StickyAssignment) {
        stored.withLock {
            $0[assignment.unit, default: [:]][ExactText(assignment.experiment)] = assignment.withoutReplaced
        }
    }

    /// Returns all assignments of a unit.
    /// - Parameter unit: The unit.
    /// - Returns: The assignments; empty if none is stored.
    public func assignments(of unit: ExperimentUnit) async -> [StickyAssignment] {
        storedAssignments(of: unit) ?? []
    }

    /// Stores assignments, unless another variant is stored for the unit and experiment, and the assignment does not
    /// replace it.
    /// - Parameter assignments: The assignments.
    /// - Returns: The stored assignments that stayed in place of given ones.
    @discardableResult
    public func save(_ assignments: [StickyAssignment]) async -> [StickyAssignment] {
        stored.withLock { stored in
            assignments.compactMap { assignment in
                let experiment = ExactText(assignment.experiment)
                let other = stored[assignment.unit]?[experiment]
                if let other, assignment.replaced.map(ExactText.init) != ExactText(other.variant) { return other }
                stored[assignment.unit, default: [:]][experiment] = assignment.withoutReplaced
                return nil
            }
        }
    }

    /// Removes all assignments of a unit.
    /// - Parameter unit: The unit.
    /// - Returns: The number of assignments that were removed.
    public func forget(_ unit: ExperimentUnit) async -> Int {
        stored.withLock { $0.removeValue(forKey: unit)?.count ?? 0 }
    }

    package func storedAssignments(of unit: ExperimentUnit) -> [StickyAssignment]? {
        stored.withLock { $0[unit].map { Array($0.values) } ?? [] }
    }
}

extension StickyAssignment {
    /// The assignment in the form in which a store keeps it.
    fileprivate var withoutReplaced: StickyAssignment {
        StickyAssignment(unit: unit, experiment: experiment, variant: variant, date: date)
    }
}
