import TrackerFeatures

/// Rules without effect, because earlier rules apply to all contexts and set the same values.
struct UnreachableRules {
    /// The warnings, each at a rule without effect.
    private(set) var warnings: [ConfigurationError] = []

    /// Checks features.
    /// - Parameter features: The features.
    init(_ features: [FeatureDefinition]) {
        for feature in features where !feature.isDisabled { look(through: feature) }
    }

    private mutating func look(through feature: FeatureDefinition) {
        let kinds = Dictionary(
            feature.variables.filter { !$0.isEncrypted }.map { (ExactText($0.name), VariableKind($0.value)) }
        ) { $1 }
        // For each variable, the first rule for all contexts that sets it; nil is the key of whether the feature is
        // enabled.
        var deciders: [ExactText?: String] = [:]
        for (index, rule) in feature.rules.enumerated() where rule.isUsable {
            let keys = rule.decidedKeys
            // A gate also turns the feature off, and the values of an experiment depend on the variant.
            let isGate = rule.targeting.prerequisites.contains(where: \.isGate)
            if rule.experiment == nil, !isGate, !keys.isEmpty, keys.allSatisfy({ deciders[$0] != nil }) {
                let names = Set(keys.compactMap { deciders[$0] }).sorted().map(\.excerpt).joined(separator: " and ")
                warnings.append(
                    ConfigurationError(
                        .warning, place: "features.\(feature.name).rules[\(index)]",
                        reason: "the rule has no effect: \(names) before it applies to all contexts and sets the same"))
            }
            guard rule.isUnconditional else { continue }
            for key in keys where deciders[key] == nil {
                // Readers ignore a value of another type and use the next rule.
                if let key, let kind = kinds[key] ?? nil, let value = rule.values[key.text],
                    !(VariableKind(value).map(kind.takes) ?? false)
                {
                    continue
                }
                deciders[key] = rule.id
            }
        }
    }
}

extension FeatureRule {
    /// The keys that the rule itself sets; nil is the key of whether the feature is enabled.
    fileprivate var decidedKeys: [ExactText?] {
        (isEnabled == nil ? [] : [nil]) + values.members.map { ExactText($0.name) }
    }

    /// Whether the rule applies to all contexts at any time.
    fileprivate var isUnconditional: Bool {
        bucket == nil && targeting.condition == nil && targeting.prerequisites.isEmpty && targeting.filters.isEmpty
            && targeting.schedule == nil && experiment == nil
    }
}
