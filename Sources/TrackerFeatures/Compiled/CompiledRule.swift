/// A rule of a feature in use, made ready for many evaluations.
package final class CompiledRule: Sendable {
    package let rule: FeatureRule
    /// The experiment that decides instead of the rule; nil if there is none.
    let experiment: CompiledExperiment?
    // Apart, because the parts of a large structure are copied to be read.
    let condition: Condition?
    let bucket: RuleBucket?
    let filters: [BucketFilter]
    let prerequisites: [Prerequisite]
    let schedule: Schedule?
    let isUsable: Bool

    /// Compiles a rule.
    /// - Parameters:
    ///   - rule: The rule.
    ///   - experiments: The experiments of its layer, which are compiled already.
    init(_ rule: FeatureRule, _ experiments: ExperimentTable) {
        self.rule = rule
        (condition, prerequisites) = (rule.targeting.condition, rule.targeting.prerequisites)
        (filters, schedule) = (rule.targeting.filters, rule.targeting.schedule)
        (bucket, isUsable) = (rule.bucket, rule.isUsable)
        experiment = rule.experiment.map { experiment in
            if let known = experiments.experiment(experiment.id), known.experiment == experiment { return known }
            return CompiledExperiment(experiment)
        }
    }

    /// The reason for a value of the rule.
    var reason: EvaluationReason { bucket == nil ? .targetingMatch : .split }

    /// Whether a failure of one of the prerequisites turns the feature off.
    var isGate: Bool { prerequisites.contains(where: \.isGate) }
}
