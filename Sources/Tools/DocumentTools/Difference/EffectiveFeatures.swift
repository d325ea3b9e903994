import TrackerConfig

/// The features that a service has with a document and its default: what the document leaves open is the default's.
struct EffectiveFeatures {
    /// The features, the document's first.
    let all: [FeatureDefinition]

    /// The features that only the default defines.
    let onlyDefault: [FeatureDefinition]

    /// Merges features.
    /// - Parameters:
    ///   - document: The document's features; nil for the default alone.
    ///   - default: The default's features.
    init(_ document: [FeatureDefinition]?, default: [FeatureDefinition]) {
        guard let document else {
            (all, onlyDefault) = (`default`, `default`)
            return
        }
        let defaults = Dictionary(`default`.map { (ExactText($0.name), $0) }) { $1 }
        let names = Set(document.map { ExactText($0.name) })
        onlyDefault = `default`.filter { !names.contains(ExactText($0.name)) }
        all =
            document.map { feature in
                defaults[exactly: feature.name].map(feature.over) ?? feature
            }
            + onlyDefault
    }
}

extension FeatureDefinition {
    /// The feature with what a lower source adds to it. A rule of the lower source decides only what this feature has no
    /// value for.
    fileprivate func over(_ lower: FeatureDefinition) -> FeatureDefinition {
        let metadata = metadata.isEmpty ? lower.metadata : metadata
        // Of a disabled feature neither this source nor a lower one gives a value.
        if isDisabled || lower.isDisabled {
            return FeatureDefinition(
                name: name, isEnabled: isEnabled, variables: variables, rules: self.rules, isDisabled: isDisabled,
                metadata: metadata)
        }
        let own = variables.filter { $0.value != .null }
        let names = Set(own.map { ExactText($0.name) })
        let rules = lower.rules.compactMap { rule -> FeatureRule? in
            let values = JSONObject(unique: rule.values.members.filter { !names.contains(ExactText($0.name)) })
            let reduced = FeatureRule(
                id: rule.id, targeting: rule.targeting, bucket: rule.bucket,
                isEnabled: isEnabled == nil ? rule.isEnabled : nil, values: values, experiment: rule.experiment,
                isUsable: rule.isUsable)
            let isEmpty = reduced.isEnabled == nil && values.isEmpty && rule.experiment == nil
            return isEmpty ? nil : reduced
        }
        return FeatureDefinition(
            name: name, isEnabled: isEnabled ?? lower.isEnabled,
            variables: own + lower.variables.filter { !names.contains(ExactText($0.name)) }, rules: self.rules + rules,
            metadata: metadata)
    }
}
