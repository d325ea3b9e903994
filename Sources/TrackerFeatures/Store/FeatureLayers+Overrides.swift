extension FeatureLayers {
    /// The overrides in effect, without the values of secrets: features with their variables by name, then experiments.
    package var overrideEntries: [FeatureOverride] { overrides.inOrder.map(entry) }

    /// An override without the value of a secret variable.
    func entry(of override: FeatureOverride) -> FeatureOverride {
        var override = override
        if hidesValue(of: override) { override.value = nil }
        return override
    }

    /// Whether the log and lists of overrides must not show a value: of a secret variable, and of one that is defined nowhere
    /// before there is a document that could say whether it is encrypted.
    func hidesValue(of override: FeatureOverride) -> Bool {
        guard let key = override.key else { return false }
        return isSecret(key)
            || !all.contains(where: \.source.isRemote)
                && !candidates(.variable(key)).contains { $0.source != .override }
    }

    /// The value in effect for an override's target, apart from rules and experiments, as JSON text on one line for the log,
    /// cut if it is long.
    func loggedValue(of override: FeatureOverride) -> String {
        let value: JSONValue? =
            if let key = override.key {
                candidates(.variable(key)).first?.value
            } else if let feature = override.feature {
                candidates(.enabled(feature)).first?.value
            } else {
                override.experiment.flatMap(forced).map { .string($0) }
            }
        return value?.description.oneLine(most: 100) ?? "unset"
    }
}
