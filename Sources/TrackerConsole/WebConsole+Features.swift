import DocumentTools
import TrackerConfig

extension WebConsole {
    /// Each feature with its variables, their sources and their descriptions.
    var features: JSONObject {
        let layers = setup.features.store.layers
        return ["features": .array(layers.names.map { feature($0, layers) })]
    }

    private func feature(_ name: String, _ layers: FeatureLayers) -> JSONValue {
        let candidates = layers.enabledCandidates(of: name)
        var enabled: JSONObject = [
            "value": candidates.first.map { .bool($0.value) } ?? .null,
            "source": candidates.first.map { .string($0.source.description) } ?? .null,
            "isOverridden": .bool(layers.overrides.enabled[exactly: name] != nil),
        ]
        if candidates.count > 1 {
            enabled["over"] = .array(
                candidates.dropFirst().map { ["value": .bool($0.value), "source": .string($0.source.description)] })
        }
        let described = layers.described(of: name)
        let variables = layers.variables(of: name).compactMap { variable in
            self.variable(VariableKey(name, variable), described[variable], layers)
        }
        let rules = layers.definitions(of: name).flatMap(\.rules)
        enabled["rules"] = Self.ids(of: rules) { $0.isEnabled != nil }
        return [
            "name": .string(name), "enabled": .object(enabled), "variables": .array(variables),
            "rules": .array(rules.map { self.rule($0, of: name, layers) }),
        ]
    }

    private func rule(_ rule: FeatureRule, of feature: String, _ layers: FeatureLayers) -> JSONValue {
        [
            "id": .string(rule.id), "for": .string(rule.audience), "isUsable": .bool(rule.isUsable),
            "gives": .string(rule.effect(on: feature, isSecret: layers.isSecret)),
        ]
    }

    /// The ids of the rules that decide something; nil if there is none.
    private static func ids(of rules: [FeatureRule], _ decides: (FeatureRule) -> Bool) -> JSONValue? {
        let ids = rules.filter { $0.isUsable && decides($0) }.map { JSONValue.string($0.id) }
        return ids.isEmpty ? nil : .array(ids)
    }

    private func variable(
        _ key: VariableKey, _ described: VariableDefinition?, _ layers: FeatureLayers
    ) -> JSONValue? {
        guard let explanation = setup.features.reader.explain(.variable(key), in: layers, for: nil) else { return nil }
        var object: JSONObject = ["name": .string(key.variable)]
        object["title"] = described?.title.map(JSONValue.string)
        object["description"] = described?.description.map(JSONValue.string)
        object["group"] = described?.group.map(JSONValue.string)
        object["type"] = layers.kind(of: key).map { .string($0.rawValue) }
        // A secret of one layer is not shown in another layer either.
        let isSecret = layers.isSecret(key)
        if !isSecret { object["value"] = explanation.value }
        object["source"] = .string(explanation.source.description)
        object["isOverridden"] = .bool(layers.overrides.variables[key] != nil)
        object["isEncrypted"] = .bool(isSecret)
        if !explanation.overridden.isEmpty {
            object["over"] = .array(explanation.overridden.map { $0.json(isSecret: isSecret) })
        }
        let experiments = layers.experiments.overriding(key).map { JSONValue.string($0.experiment.id) }
        if !experiments.isEmpty { object["experiments"] = .array(experiments) }
        let rules = layers.definitions(of: key.feature).flatMap(\.rules)
        object["rules"] = Self.ids(of: rules) { $0.values[key.variable] != nil }
        return .object(object)
    }
}

extension VariableExplanation.Candidate {
    fileprivate func json(isSecret: Bool) -> JSONValue {
        var object: JSONObject = ["source": .string(source.description)]
        if !isSecret { object["value"] = value }
        return .object(object)
    }
}
