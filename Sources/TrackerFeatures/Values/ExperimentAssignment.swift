/// The variant that an experiment gives to a unit, with the reason.
///
/// ```swift
/// let assignment = setup.experiments.variant(of: "checkout_01", default: "control", for: FeatureContext(userID: "u-1"))
/// if assignment.variant == "fast" { … }
/// ```
public struct ExperimentAssignment: Sendable, Hashable {
    /// The experiment's id.
    public let experiment: String

    /// The variant's name; the caller's default if the unit got none.
    public let variant: String

    /// The values that the variant overrides, by feature and variable; empty if the unit got none.
    public let values: [String: JSONObject]

    /// The reason why the unit has this variant or none.
    public let reason: NamedCode<ExperimentAssignment>

    /// Whether the variant is stored, so that the unit keeps it.
    public let isSticky: Bool

    package init(
        experiment: String, variant: String, values: [String: JSONObject] = [:],
        reason: NamedCode<ExperimentAssignment> = .assigned,
        isSticky: Bool = false
    ) {
        self.experiment = experiment
        self.variant = variant
        self.values = values
        self.reason = reason
        self.isSticky = isSticky
    }

    /// Whether the experiment gave the variant; false if it is the caller's default.
    public var isInExperiment: Bool { reason == .assigned || reason == .sticky || reason == .forced }
}

/// The reasons why a unit has its variant or none.
extension NamedCode<ExperimentAssignment> {
    /// The hash selected the variant.
    public static var assigned: Self { Self(rawValue: "assigned") }

    /// The variant is stored, and the experiment is sticky.
    public static var sticky: Self { Self(rawValue: "sticky") }

    /// An override forces the variant, or the experiment gives it to all units that take part
    /// (``Experiment/forcedVariant``). No exposure is recorded and no assignment is stored.
    public static var forced: Self { Self(rawValue: "forced") }

    /// The document has no such experiment.
    public static var unknown: Self { Self(rawValue: "unknown") }

    /// The experiment's countries or languages exclude the context.
    public static var filtered: Self { Self(rawValue: "filtered") }

    /// The condition in code or the document's condition does not hold.
    public static var condition: Self { Self(rawValue: "condition") }

    /// A prerequisite of the experiment is not met.
    public static var prerequisite: Self { Self(rawValue: "prerequisite") }

    /// The context has no id of the experiment's unit.
    public static var noUnit: Self { Self(rawValue: "noUnit") }

    /// The experiment's coverage, ranges or filters exclude the unit.
    public static var notCovered: Self { Self(rawValue: "notCovered") }

    /// The unit no longer takes part: it got a variant under a lower number than ``Experiment/minBucketVersion``.
    public static var blocked: Self { Self(rawValue: "blocked") }

    /// The experiment is disabled (``Experiment/isEnabled``).
    public static var disabled: Self { Self(rawValue: "disabled") }

    /// The experiment has not begun, or it is over. Stored assignments stay.
    public static var scheduled: Self { Self(rawValue: "scheduled") }

    /// This version of the SDK does not support all parts of the document's experiment, or the experiment forces a
    /// variant that it does not have.
    public static var unusable: Self { Self(rawValue: "unusable") }

    /// The store of a sticky experiment has not yet returned the unit's variant; the hash could contradict it.
    public static var notLoaded: Self { Self(rawValue: "notLoaded") }

    /// The unit's id is longer than 1,024 UTF-8 bytes, or the evaluation would take more steps than a read may. It
    /// counts in ``Features/readFailures`` and is logged.
    public static var refused: Self { Self(rawValue: "refused") }
}
