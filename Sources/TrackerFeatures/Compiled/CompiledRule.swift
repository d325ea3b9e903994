/// A rule of a feature in use, prepared for many evaluations.
package final class CompiledRule: Sendable {
    package let rule: FeatureRule
    /// The experiment that decides instead of the rule; nil if there is none.
    let experiment: CompiledExperiment?
    // Stored separately, because reading a part of a large structure copies it.
    let condition: Condition?
    let bucket: RuleBucket?
    let filters: [BucketFilter]
    let prerequisites: [Prerequisite]
    let schedule: Schedule?
    let isUsable: Bool
    /// The reason for a value of the rule.
    let reason: EvaluationReason

    /// Compiles a rule.
    /// - Parameters:
    ///   - rule: The rule.
    ///   - experiments: The compiled experiments of the rule's layer.
    init(_ rule: FeatureRule, _ experiments: ExperimentTable) {
        self.rule = rule
        (condition, prerequisites) = (rule.targeting.condition, rule.targeting.prerequisites)
        (filters, schedule) = (rule.targeting.filters, rule.targeting.schedule)
        (bucket, isUsable) = (rule.bucket, rule.isUsable)
        reason = rule.bucket == nil ? .targetingMatch : .split
        experiment = rule.experiment.map { experiment in
            if let known = experiments.experiment(experiment.id), known.experiment == experiment { return known }
            return CompiledExperiment(experiment)
        }
    }

    /// Whether a failure of one of the prerequisites turns the feature off.
    var isGate: Bool { prerequisites.contains(where: \.isGate) }
}
