/// A rule of a feature in use, made ready for many evaluations.
package final class CompiledRule: Sendable {
    package let rule: FeatureRule
    /// The rule's place among those of its feature.
    let position: Int
    /// Whether a failure of one of the prerequisites turns the feature off.
    let isGate: Bool
    /// Whether it stands for a disabled feature, which gives no value.
    let isOff: Bool
    /// Why a value of the rule applies.
    let reason: EvaluationReason
    /// The experiment that decides instead of the rule; nil if there is none.
    let experiment: CompiledExperiment?
    // Apart, because the parts of a large structure are copied to be read.
    private let condition: Condition?
    private let bucket: RuleBucket?
    private let hasFilters: Bool
    /// Whether other features, the time or `disabled` decide too.
    let asksMore: Bool
    /// Whether the time decides too.
    let usesTime: Bool
    /// When the rule applies: in its own time and in that of its feature; nil at any time.
    let schedule: Schedule?
    private let isUsable: Bool

    /// The values by name, if they are too many to look through.
    private let values: [ExactText: JSONValue]?

    private static let maxScanned = 16

    /// Compiles a rule.
    /// - Parameters:
    ///   - rule: The rule.
    ///   - position: Its place among those of its feature.
    ///   - schedule: When the feature's definition applies.
    ///   - experiments: The experiments of its layer, which are compiled already.
    convenience init(_ rule: FeatureRule, position: Int, _ schedule: Schedule?, _ experiments: ExperimentTable) {
        self.init(rule, position: position, schedule, experiments, isOff: false)
    }

    /// Compiles what stands before all rules of a disabled feature: a gate, because one is tried for each key of the feature,
    /// that asks more, because only rules that do are asked whether they are this one.
    /// - Parameter schedule: When the feature's definition applies.
    convenience init(disabledIn schedule: Schedule?) {
        self.init(FeatureRule(id: "disabled"), position: -1, schedule, .empty, isOff: true)
    }

    private init(
        _ rule: FeatureRule, position: Int, _ schedule: Schedule?, _ experiments: ExperimentTable, isOff: Bool
    ) {
        self.rule = rule
        self.position = position
        self.isOff = isOff
        isGate = isOff || rule.targeting.prerequisites.contains(where: \.isGate)
        values =
            rule.values.count > Self.maxScanned
            ? Dictionary(rule.values.members.map { (ExactText($0.name), $0.value) }) { first, _ in first } : nil
        condition = rule.targeting.condition
        bucket = rule.bucket
        reason = rule.bucket == nil ? .targetingMatch : .split
        hasFilters = !rule.targeting.filters.isEmpty
        self.schedule = Schedule.both(rule.targeting.schedule, schedule)
        let targetings = [rule.targeting, rule.experiment?.targeting].compactMap(\.self)
        usesTime = self.schedule != nil || targetings.contains(where: \.usesTime)
        asksMore = isOff || usesTime || targetings.contains { !$0.prerequisites.isEmpty }
        isUsable = rule.isUsable
        experiment = rule.experiment.map { experiment in
            if let known = experiments.experiment(experiment.id), known.experiment == experiment { return known }
            return CompiledExperiment(experiment)
        }
    }

    /// Whether the context alone decides, without other features, experiments or anything stored.
    var dependsOnContextAlone: Bool { experiment == nil && !asksMore }

    /// Whether the rule is for a context, apart from its prerequisites; false if the budget is used up.
    @inline(__always)
    func matches(_ context: FeatureContext, _ budget: ReadBudget) -> Bool {
        guard isUsable, budget.spend(ReadBudget.ruleSteps) else { return false }
        // Without `if let`, which counts a reference to the condition.
        guard condition?.matches({ context.attribute($0, budget) }, budget) ?? true else { return false }
        if let bucket {
            guard let unit = context.unit(bucket.unit, budget), bucket.contains(unit.id, budget) else { return false }
        }
        return !hasFilters || passesFilters(context, budget)
    }

    private func passesFilters(_ context: FeatureContext, _ budget: ReadBudget) -> Bool {
        rule.targeting.filters.allSatisfy { filter in
            context.unit(filter.unit ?? rule.bucket?.unit ?? "userId", budget)
                .map { filter.contains($0.id, budget) } ?? false
        }
    }

    /// What the rule says of a key; nil if it leaves that to the next rule.
    func value(of key: FeatureKey) -> JSONValue? {
        switch key {
        case .enabled: rule.isEnabled.map(JSONValue.bool)
        case .variable(let key):
            (values.map { $0[exactly: key.variable] } ?? rule.values[key.variable]).flatMap { $0 == .null ? nil : $0 }
        }
    }

    /// Whether the rule, or the experiment that decides for it, may say whether a feature is enabled.
    func decidesEnabled(_ feature: String) -> Bool {
        guard let experiment = rule.experiment else { return rule.isEnabled != nil }
        return experiment.variants.contains { $0.enabledFeatures[exactly: feature] != nil }
    }

    /// The variables of a feature of which the rule, or the experiment that decides for it, may have a value, each once.
    func variables(of feature: String) -> Set<ExactText> {
        let objects =
            rule.experiment.map { $0.variants.compactMap { $0.overrides[exactly: feature] } } ?? [rule.values]
        return Set(objects.flatMap { $0.members.filter { $0.value != .null }.map { ExactText($0.name) } })
    }
}

extension CompiledVariant {
    /// What the variant says of a key; nil if it leaves the key as it is.
    func value(of key: FeatureKey) -> JSONValue? {
        switch key {
        case .enabled(let feature): variant.enabledFeatures[exactly: feature].map(JSONValue.bool)
        case .variable(let key): values(of: key.feature)?[key.variable].flatMap { $0 == .null ? nil : $0 }
        }
    }
}
