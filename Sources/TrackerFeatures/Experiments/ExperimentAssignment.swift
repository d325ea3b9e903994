/// The variant that an experiment gives to a unit, and why.
///
/// ```swift
/// let assignment = setup.experiments.variant(of: "checkout_01", default: "control", for: FeatureContext(userID: "u-1"))
/// if assignment.variant == "fast" { … }
/// ```
public struct ExperimentAssignment: Sendable, Hashable {
    /// Why a unit has its variant, or none.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The hash gave it.
        case assigned
        /// It was given earlier, and the experiment is sticky.
        case sticky
        /// An override forces it, for a tester.
        case forced
        /// The document has no such experiment.
        case unknown
        /// The experiment's countries or languages leave the context out.
        case filtered
        /// The condition in code says no.
        case condition
        /// The context has no id of the experiment's unit.
        case noUnit
        /// The experiment does not cover the unit.
        case notCovered
        /// The store of a sticky experiment has not yet told what the unit was given; the hash could contradict it. Also
        /// the reason in a forked child, which knows nothing of the store.
        case notLoaded
    }

    /// The experiment's id.
    public let experiment: String

    /// The variant's name; the caller's default where the unit was given none.
    public let variant: String

    /// What the variant overrides, by feature and variable; nothing where the unit was given none.
    public let values: [String: JSONObject]

    /// Why.
    public let reason: Reason

    /// Whether the variant is stored, so that the unit keeps it.
    public let isSticky: Bool

    /// Whether the experiment gave the variant, by whatever way; false where it is the caller's default.
    public var isInExperiment: Bool { reason == .assigned || reason == .sticky || reason == .forced }

    init(_ experiment: String, _ evaluation: Evaluation, default name: String) {
        self.experiment = experiment
        variant = evaluation.variant?.name ?? name
        values = evaluation.variant?.values ?? [:]
        reason = evaluation.reason
        isSticky = evaluation.isSticky
    }
}
