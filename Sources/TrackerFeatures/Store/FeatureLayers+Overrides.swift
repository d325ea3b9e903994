extension FeatureLayers {
    /// The overrides in effect, without the values of secrets: features with their variables by name, then experiments.
    package var overrideEntries: [FeatureOverride] { overrides.inOrder.map(entry) }

    /// An override without the value of a secret variable.
    func entry(of override: FeatureOverride) -> FeatureOverride {
        var override = override
        if hidesValue(of: override) { override.value = nil }
        return override
    }

    /// Whether a value must be hidden in the log and in lists of overrides: if its variable is secret, or if it is not
    /// defined anywhere before a document is loaded that could encrypt it.
    func hidesValue(of override: FeatureOverride) -> Bool {
        guard let key = override.key else { return false }
        return isSecret(key)
            || !all.contains(where: \.source.isRemote)
                && !candidates(.variable(key)).contains { $0.source != .override }
    }

    /// The effective value of an override's target, without rules and experiments, as JSON text on one line for the
    /// log, shortened if it is long.
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
