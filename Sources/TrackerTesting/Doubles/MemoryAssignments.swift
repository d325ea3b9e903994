public import FoundationEssentials
import TrackerCore
public import TrackerFeatures

/// A store of sticky assignments in memory, which also answers at once.
///
/// ```swift
/// var options = SetupOptions()
/// options.experiments.assignmentStore = MemoryAssignments()
/// ```
public final class MemoryAssignments: AssignmentStore {
    fileprivate struct Key: Hashable {
        let unit: ExperimentUnit
        let experiment: ExactText
    }

    private let stored = Locked<[Key: StickyAssignment]>([:])

    /// Creates an empty store.
    public init() {}

    /// All assignments, in the order of their experiments and units.
    public var assignments: [StickyAssignment] {
        stored.withLock { Array($0.values) }.sorted {
            ($0.experiment, $0.unit.name, $0.unit.id) < ($1.experiment, $1.unit.name, $1.unit.id)
        }
    }

    /// Stores an assignment in place of any other of its unit and experiment.
    /// - Parameter assignment: The assignment.
    public func set(_ assignment: StickyAssignment) {
        stored.withLock { $0[Key(assignment)] = assignment.withoutReplaced }
    }

    /// Returns all assignments of a unit.
    /// - Parameter unit: The unit.
    /// - Returns: The assignments; empty if none is stored.
    public func assignments(of unit: ExperimentUnit) async -> [StickyAssignment] {
        assignments.filter { $0.unit == unit }
    }

    /// Stores assignments, except those whose experiment has another variant for the unit that they do not replace.
    /// - Parameter assignments: The assignments.
    /// - Returns: What stays in their place.
    @discardableResult
    public func save(_ assignments: [StickyAssignment]) async -> [StickyAssignment] {
        stored.withLock { stored in
            assignments.compactMap { assignment in
                let other = stored[Key(assignment)]
                if let other, assignment.replaced.map(ExactText.init) != ExactText(other.variant) { return other }
                stored[Key(assignment)] = assignment.withoutReplaced
                return nil
            }
        }
    }

    /// Removes the assignments of all experiments but some.
    /// - Parameter experiments: The keys of the experiments whose assignments stay.
    public func forget(except experiments: [String]) async {
        let retained = Set(experiments.map(ExactText.init))
        stored.withLock { stored in stored = stored.filter { retained.contains($0.key.experiment) } }
    }

    /// Removes all assignments of a unit.
    /// - Parameter unit: The unit.
    /// - Returns: The number of assignments that were removed.
    public func forget(_ unit: ExperimentUnit) async -> Int {
        stored.withLock { stored in
            let count = stored.count
            stored = stored.filter { $0.key.unit != unit }
            return count - stored.count
        }
    }

    /// Removes the assignments of an experiment that were made before a date.
    /// - Parameters:
    ///   - experiment: The experiment's key.
    ///   - date: The date before which assignments are removed.
    public func forget(_ experiment: String, before date: Date) async {
        let experiment = ExactText(experiment)
        stored.withLock { stored in
            stored = stored.filter { $0.key.experiment != experiment || $0.value.date >= date }
        }
    }

    /// Looks for one assignment.
    /// - Parameters:
    ///   - experiment: The experiment's key.
    ///   - unit: The unit.
    /// - Returns: The assignment, or that there is none.
    public func lookUp(_ experiment: String, of unit: ExperimentUnit) -> AssignmentLookup {
        let key = Key(unit: unit, experiment: ExactText(experiment))
        return stored.withLock { $0[key] }.map(AssignmentLookup.found) ?? .absent
    }
}

extension MemoryAssignments.Key {
    fileprivate init(_ assignment: StickyAssignment) {
        self.init(unit: assignment.unit, experiment: ExactText(assignment.experiment))
    }
}

extension StickyAssignment {
    /// The assignment as a store keeps it.
    fileprivate var withoutReplaced: StickyAssignment {
        StickyAssignment(unit: unit, experiment: experiment, variant: variant, date: date)
    }
}
