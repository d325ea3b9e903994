import TrackerCore
import TrackerFeatures

/// The values of ``InMemoryFeatures`` as definitions with rules.
final class InMemoryProvider: FeatureValueProvider {
    /// What a feature is for some contexts.
    fileprivate struct Exception: Sendable {
        let condition: JSONObject
        let values: FeatureValues
    }

    private struct State: Sendable {
        var values: [String: FeatureValues]
        /// The newest first.
        var exceptions: [String: [Exception]] = [:]
    }

    let name = "memory"
    private let state: Locked<State>

    init(_ values: [String: FeatureValues]) {
        state = Locked(State(values: values))
    }

    func set(_ values: FeatureValues?, for feature: String) {
        state.withLock { $0.values[feature] = values }
    }

    func set(_ values: FeatureValues?, for feature: String, when condition: JSONObject) {
        state.withLock { state in
            var exceptions = state.exceptions[feature] ?? []
            exceptions.removeAll { $0.condition == condition }
            if let values { exceptions.insert(Exception(condition: condition, values: values), at: 0) }
            state.exceptions[feature] = exceptions.isEmpty ? nil : exceptions
        }
    }

    func load() -> ProvidedFeatures {
        let state = state.withLock { $0 }
        let names = Set(state.values.keys).union(state.exceptions.keys).sorted()
        return ProvidedFeatures(
            names.map { name in
                let values = state.values[name]
                let variables = (values?.variables ?? [:]).sorted { $0.key < $1.key }
                return FeatureDefinition(
                    name: name, isEnabled: values?.isEnabled,
                    variables: variables.map { VariableDefinition(name: $0.key, value: $0.value) },
                    rules: (state.exceptions[name] ?? []).map(\.rule))
            })
    }
}

extension InMemoryProvider.Exception {
    fileprivate var rule: FeatureRule {
        FeatureRule(
            id: "\(JSONValue.object(condition))", targeting: Targeting(condition: Condition(condition)),
            isEnabled: values.isEnabled, values: JSONObject(values.variables.sorted { $0.key < $1.key }))
    }
}
