package import FoundationEssentials

/// The number and the time of a feature's evaluations in this process.
package struct FeatureUsage: Sendable, Hashable {
    /// The feature's name.
    package let feature: String

    /// The evaluations by reason. Reads of plain values (``EvaluationReason/static``) are not counted, because counting
    /// would cost more than the read; they only update ``lastEvaluation``. No evaluation is counted as
    /// ``EvaluationReason/stale``; the reason of the decision is counted instead.
    package let evaluations: [EvaluationReason: Int]

    /// The time of the last known evaluation; nil if the feature was not evaluated since the process started.
    ///
    /// It is the time of the first call of ``Features/usage`` after the evaluation, so it is late by at most the time
    /// between two calls.
    package let lastEvaluation: Date?

    package init(feature: String, evaluations: [EvaluationReason: Int] = [:], lastEvaluation: Date? = nil) {
        self.feature = feature
        self.evaluations = evaluations
        self.lastEvaluation = lastEvaluation
    }
}
