/// A variant that a unit is to keep.
public struct StickyAssignment: Sendable, Hashable {
    /// The unit.
    public let unit: ExperimentUnit

    /// The experiment's id.
    public let experiment: String

    /// The variant's name.
    public let variant: String

    /// The stored variant that the experiment no longer has, and that this one takes the place of; nil where none was
    /// stored.
    public let replaced: String?

    /// Creates an assignment.
    /// - Parameters:
    ///   - unit: The unit.
    ///   - experiment: The experiment's id.
    ///   - variant: The variant's name.
    ///   - replaced: The stored variant that this one takes the place of; nil, which is the default, for none.
    public init(unit: ExperimentUnit, experiment: String, variant: String, replaced: String? = nil) {
        self.unit = unit
        self.experiment = experiment
        self.variant = variant
        self.replaced = replaced
    }
}
