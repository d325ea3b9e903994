/// A rule of a feature in use, made ready for many evaluations.
package final class CompiledRule: Sendable {
    package let rule: FeatureRule
    /// The experiment that decides instead of the rule; nil if there is none.
    let experiment: CompiledExperiment?

    init(_ rule: FeatureRule) {
        self.rule = rule
        experiment = rule.experiment.map(CompiledExperiment.init)
    }

    /// Why a value of the rule applies.
    var reason: EvaluationReason { rule.bucket == nil ? .targetingMatch : .split }

    /// Whether the context alone decides, without other features, experiments or anything stored.
    var dependsOnContextAlone: Bool { experiment == nil && rule.targeting.prerequisites.isEmpty }

    /// Whether the rule is for a context, apart from its prerequisites.
    @inline(__always)
    func matches(_ context: FeatureContext) -> Bool {
        guard rule.isUsable else { return false }
        if let condition = rule.targeting.condition, !condition.matches({ context.attribute($0) }) { return false }
        if let bucket = rule.bucket {
            guard let unit = context.unit(bucket.unit), bucket.contains(unit.id) else { return false }
        }
        return rule.targeting.filters.isEmpty || passesFilters(context)
    }

    private func passesFilters(_ context: FeatureContext) -> Bool {
        rule.targeting.filters.allSatisfy { filter in
            context.unit(filter.unit ?? rule.bucket?.unit ?? "userId").map { filter.contains($0.id) } ?? false
        }
    }

    /// What the rule says of a key; nil if it leaves that to the next rule.
    func value(of key: FeatureKey) -> JSONValue? {
        switch key {
        case .enabled: rule.isEnabled.map(JSONValue.bool)
        case .variable(let key): rule.values[key.variable].flatMap { $0 == .null ? nil : $0 }
        }
    }

    /// Whether the rule, or the experiment that decides for it, may say something of a key.
    func concerns(_ key: FeatureKey) -> Bool {
        if rule.targeting.prerequisites.contains(where: \.isGate) { return true }
        guard let experiment = rule.experiment else { return value(of: key) != nil }
        return experiment.variants.contains { $0.value(of: key) != nil }
    }
}

extension ExperimentVariant {
    /// What the variant says of a key; nil if it leaves the key as it is.
    func value(of key: FeatureKey) -> JSONValue? {
        switch key {
        case .enabled(let feature): enabledFeatures[exactly: feature].map(JSONValue.bool)
        case .variable(let key):
            overrides.isEmpty ? nil : overrides[exactly: key.feature]?[key.variable].flatMap { $0 == .null ? nil : $0 }
        }
    }
}
