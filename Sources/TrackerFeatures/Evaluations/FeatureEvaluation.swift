/// One evaluation of a feature, as a hook receives it; see ``Features/onEvaluation(sampling:_:)``.
public struct FeatureEvaluation: Sendable, Hashable {
    /// The feature's name.
    public let feature: String

    /// The variable's name; nil if the read was of whether the feature is enabled.
    public let variable: String?

    /// The source of the value; ``FeatureSource/fallback`` for the caller's default.
    public let source: FeatureSource

    /// The reason for the value.
    public let reason: EvaluationReason

    /// The id of the rule that gave the value; nil if none did.
    public let rule: String?

    /// The variant that gave the value; nil if no experiment did.
    public let variant: String?

    /// Creates an evaluation, for example to test a hook.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - variable: The variable's name; nil, the default, if it was read whether the feature is enabled.
    ///   - source: The source of the value.
    ///   - reason: Why the value is what it is; ``EvaluationReason/static`` by default.
    ///   - rule: The id of the rule that gave the value; nil by default.
    ///   - variant: The variant that gave the value; nil by default.
    public init(
        feature: String, variable: String? = nil, source: FeatureSource, reason: EvaluationReason = .static,
        rule: String? = nil, variant: String? = nil
    ) {
        (self.feature, self.variable, self.source) = (feature, variable, source)
        (self.reason, self.rule, self.variant) = (reason, rule, variant)
    }
}
