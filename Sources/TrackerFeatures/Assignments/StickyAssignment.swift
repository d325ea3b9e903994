public import FoundationEssentials

/// A stored variant of a unit.
public struct StickyAssignment: Sendable, Hashable {
    /// The unit.
    public let unit: ExperimentUnit

    /// The key under which the experiment stores its assignments: its id, followed by `__` and its bucket version if
    /// that is above 0, such as `checkout_01__2`. Keys are compared by their bytes.
    public let experiment: String

    /// The variant's name.
    public let variant: String

    /// The time when the unit was given the variant, to the millisecond.
    public let date: Date

    /// The stored variant that this one replaces, because the experiment no longer has it; nil if none was stored. It
    /// is nil for assignments that were read from a store.
    public let replaced: String?

    /// Creates an assignment.
    /// - Parameters:
    ///   - unit: The unit.
    ///   - experiment: The key under which the experiment stores its assignments.
    ///   - variant: The variant's name.
    ///   - date: The time when the unit was given the variant.
    ///   - replaced: The stored variant that this one replaces; nil, the default, for none.
    public init(unit: ExperimentUnit, experiment: String, variant: String, date: Date, replaced: String? = nil) {
        self.unit = unit
        self.experiment = experiment
        self.variant = variant
        self.date = date
        self.replaced = replaced
    }

    /// Whether both are the same assignment; texts are compared by their bytes.
    public static func == (left: StickyAssignment, right: StickyAssignment) -> Bool {
        left.unit == right.unit && left.experiment.isExactly(right.experiment) && left.variant.isExactly(right.variant)
            && left.date == right.date && left.replaced.map(ExactText.init) == right.replaced.map(ExactText.init)
    }

    /// Hashes the unit, the key, the variant and the date.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(unit)
        hasher.combine(experiment)
        hasher.combine(variant)
        hasher.combine(date)
    }
}

extension [StickyAssignment] {
    /// The assignment for an experiment's key.
    func assignment(of experiment: String) -> StickyAssignment? { first { $0.experiment.isExactly(experiment) } }

    /// Replaces the assignment of the same experiment, or adds one.
    mutating func set(_ assignment: StickyAssignment) {
        removeAll { $0.experiment.isExactly(assignment.experiment) }
        append(assignment)
    }
}
