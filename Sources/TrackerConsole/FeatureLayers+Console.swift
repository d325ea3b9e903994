import TrackerConfig

extension FeatureLayers {
    /// Who says whether a feature is on, the highest first.
    func opinions(of feature: String) -> [(value: Bool, source: FeatureSource)] {
        (upper + lower).compactMap { layer in layer.table.enabled[exactly: feature].map { ($0, layer.source) } }
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
