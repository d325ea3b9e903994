extension Console {
    /// Each feature with its variables, where their values come from and what people are told about them.
    var features: JSONObject {
        let layers = setup.features.store.layers
        return ["features": .array(layers.names.map { feature($0, layers) })]
    }

    private func feature(_ name: String, _ layers: FeatureLayers) -> JSONValue {
        let opinions = layers.opinions(of: name)
        var enabled: JSONObject = [
            "value": opinions.first.map { .bool($0.value) } ?? .null,
            "source": opinions.first.map { .string($0.source.description) } ?? .null,
            "isOverridden": .bool(layers.overrides.enabled[name] != nil),
        ]
        if opinions.count > 1 {
            enabled["over"] = .array(
                opinions.dropFirst().map { ["value": .bool($0.value), "source": .string($0.source.description)] })
        }
        let told = layers.told(of: name)
        let variables = layers.variables(of: name).compactMap { variable in
            self.variable(VariableKey(name, variable), told[variable], layers)
        }
        return ["name": .string(name), "enabled": .object(enabled), "variables": .array(variables)]
    }

    private func variable(
        _ key: VariableKey, _ told: VariableDefinition?, _ layers: FeatureLayers
    ) -> JSONValue? {
        guard let explanation = setup.features.reader.explain(key, in: layers, for: nil) else { return nil }
        var object: JSONObject = ["name": .string(key.variable)]
        object["title"] = told?.title.map(JSONValue.string)
        object["description"] = told?.description.map(JSONValue.string)
        object["group"] = told?.group.map(JSONValue.string)
        object["type"] = layers.kind(of: key).map { .string($0.rawValue) }
        // What somebody keeps secret is one in the clear too.
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

/// What a variable's value is to be, as an editor needs to know it.
enum VariableKind: String {
    case boolean, integer, number, string, array, object

    init?(_ value: JSONValue) {
        switch value {
        case .null: return nil
        case .bool: self = .boolean
        case .int: self = .integer
        case .double: self = .number
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }

    /// Whether a variable of this kind can be read from a value of another.
    func takes(_ other: VariableKind) -> Bool { self == other || (self == .number && other == .integer) }
}

extension FeatureLayers {
    /// Who says whether a feature is on, the highest first.
    func opinions(of feature: String) -> [(value: Bool, source: FeatureSource)] {
        (upper + lower).compactMap { layer in layer.table.enabled[feature].map { ($0, layer.source) } }
    }

    /// What people are told about the variables of a feature, by the highest who tells something.
    func told(of feature: String) -> [String: VariableDefinition] {
        var told: [String: VariableDefinition] = [:]
        for layer in upper + lower {
            for variable in layer.table.definition(feature)?.variables ?? []
            where told[variable.name] == nil
                && !(variable.title == nil && variable.description == nil && variable.group == nil)
            {
                told[variable.name] = variable
            }
        }
        return told
    }

    /// The kind of a variable, by what there is below overrides: an override may be a mistake. Of several kinds of numbers
    /// it is the one that takes all.
    func kind(of key: VariableKey) -> VariableKind? {
        func said(by layers: [Layer]) -> [VariableKind] {
            layers.compactMap { $0.table.content(key).flatMap { VariableKind($0.value) } }
        }
        let (provided, written) = (said(by: upper.filter { $0.source != .override }), said(by: lower))
        // A provider may have nothing but texts, as the environment has, which are read as what the document has.
        let kinds = provided.filter { $0 != .string || written.isEmpty } + written
        if kinds.contains(.number), kinds.allSatisfy({ VariableKind.number.takes($0) }) { return .number }
        return kinds.first ?? content(key).flatMap { VariableKind($0.value) }
    }

    /// Whether anybody has a variable as a secret, which nobody can be shown.
    func isSecret(_ key: VariableKey) -> Bool {
        (upper + lower).contains { $0.table.content(key)?.isEncrypted ?? false }
    }
}
