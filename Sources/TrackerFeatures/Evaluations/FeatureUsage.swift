public import FoundationEssentials

/// How often and when a feature was evaluated in this process.
public struct FeatureUsage: Sendable, Hashable {
    /// The feature's name.
    public let feature: String

    /// The evaluations by reason. Reads of plain values (``EvaluationReason/static``) are not counted, because counting would
    /// cost more than the read; they only show in ``lastEvaluation``.
    public let evaluations: [EvaluationReason: Int]

    /// When the feature was last seen to be evaluated; nil if it was not since the process started.
    ///
    /// It is the time of the call of ``Features/usage`` that first found the evaluation, so it is at most as much too late as
    /// these calls are apart.
    public let lastEvaluation: Date?

    /// Creates a usage, for example to compare with.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - evaluations: The evaluations by reason.
    ///   - lastEvaluation: When the feature was last seen to be evaluated.
    public init(feature: String, evaluations: [EvaluationReason: Int] = [:], lastEvaluation: Date? = nil) {
        self.feature = feature
        self.evaluations = evaluations
        self.lastEvaluation = lastEvaluation
    }
}
