/// The variant that an experiment gives to a unit, and why.
///
/// ```swift
/// let assignment = setup.experiments.variant(of: "checkout_01", default: "control", for: FeatureContext(userID: "u-1"))
/// if assignment.variant == "fast" { … }
/// ```
public struct ExperimentAssignment: Sendable, Hashable {
    /// Why a unit has its variant, or none.
    @nonexhaustive
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The hash gave it.
        case assigned
        /// It was given earlier, and the experiment is sticky.
        case sticky
        /// An override forces it, for a tester, or the experiment gives it to all units that take part
        /// (``Experiment/forcedVariant``). It is neither exposed nor stored.
        case forced
        /// The document has no such experiment.
        case unknown
        /// The experiment's countries or languages leave the context out.
        case filtered
        /// The condition in code or the document's condition does not hold.
        case condition
        /// A prerequisite of the experiment does not hold: another feature is not as it asks.
        case prerequisite
        /// The context has no id of the experiment's unit.
        case noUnit
        /// The experiment's coverage, ranges or filters leave the unit out.
        case notCovered
        /// The unit takes part no more: its variant is one of ``Experiment/blockedVariants``, or it was given a variant under a
        /// lower number than ``Experiment/minBucketVersion``.
        case blocked
        /// The experiment is switched off (``Experiment/isEnabled``).
        case disabled
        /// This version of the SDK does not understand all that the document says of the experiment, or the experiment forces a
        /// variant that it does not have.
        case unusable
        /// The store of a sticky experiment has not yet returned the unit's variant; the hash could contradict it. Also
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

    /// Creates an assignment, for example to compare with.
    /// - Parameters:
    ///   - experiment: The experiment's id.
    ///   - variant: The variant's name.
    ///   - values: What the variant overrides, by feature and variable.
    ///   - reason: Why.
    ///   - isSticky: Whether the variant is stored, so that the unit keeps it.
    public init(
        experiment: String, variant: String, values: [String: JSONObject] = [:], reason: Reason = .assigned,
        isSticky: Bool = false
    ) {
        self.experiment = experiment
        self.variant = variant
        self.values = values
        self.reason = reason
        self.isSticky = isSticky
    }

    /// Whether the experiment gave the variant, by whatever way; false if it is the caller's default.
    public var isInExperiment: Bool { reason == .assigned || reason == .sticky || reason == .forced }

    init(_ experiment: String, _ evaluation: Evaluation, default name: String) {
        self.experiment = experiment
        variant = evaluation.variant?.name ?? name
        values = evaluation.variant?.values ?? [:]
        reason = evaluation.reason
        isSticky = evaluation.isSticky
    }
}
