import TrackerFeatures

/// The values of ``InMemoryFeatures`` as definitions with rules.
final class InMemoryProvider: FeatureValueProvider {
    private struct Feature: Sendable {
        var values: FeatureValues?
        /// The rules for some contexts, the newest first.
        var rules: [FeatureRule] = []
    }

    let name = "memory"
    private let features: Locked<[String: Feature]>

    init(_ values: [String: FeatureValues]) {
        features = Locked(values.mapValues { Feature(values: $0) })
    }

    func set(_ values: FeatureValues?, for feature: String) {
        features.withLock { $0[feature, default: Feature()].values = values }
    }

    func set(_ values: FeatureValues?, for feature: String, when condition: JSONObject) {
        let id = "\(JSONValue.object(condition))"
        let rule = values.map { values in
            FeatureRule(
                id: id, targeting: Targeting(condition: Condition(condition)), isEnabled: values.isEnabled,
                values: JSONObject(values.variables.sorted { $0.key < $1.key }))
        }
        features.withLock { features in
            let others = features[feature]?.rules.filter { $0.id != id } ?? []
            features[feature, default: Feature()].rules = (rule.map { [$0] } ?? []) + others
        }
    }

    func load() -> ProvidedFeatures {
        let features = features.withLock { $0 }.filter { $0.value.values != nil || !$0.value.rules.isEmpty }
        return ProvidedFeatures(
            features.sorted { $0.key < $1.key }.map { name, feature in
                let variables = (feature.values?.variables ?? [:]).sorted { $0.key < $1.key }
                return FeatureDefinition(
                    name: name, isEnabled: feature.values?.isEnabled,
                    variables: variables.map { VariableDefinition(name: $0.key, value: $0.value) },
                    rules: feature.rules)
            })
    }
}
