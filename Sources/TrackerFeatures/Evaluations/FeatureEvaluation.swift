/// One evaluation of a feature, as a hook receives it; see ``Features/onEvaluation(sampling:_:)``.
public struct FeatureEvaluation: Sendable, Hashable {
    /// The feature's name.
    public let feature: String

    /// The variable's name; nil if it was read whether the feature is enabled.
    public let variable: String?

    /// The source of the value; ``FeatureSource/fallback`` for the caller's default.
    public let source: FeatureSource

    /// Why the value is what it is.
    public let reason: EvaluationReason

    /// The id of the rule that gave the value; nil if none did.
    public let rule: String?

    /// The variant that gave the value; nil if no experiment did.
    public let variant: String?
}
