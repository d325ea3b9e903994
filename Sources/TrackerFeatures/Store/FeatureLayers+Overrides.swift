extension FeatureLayers {
    /// The overrides in effect: features with their variables by name, then experiments.
    package var overrideEntries: [FeatureOverride] { overrides.targets.compactMap(overrideEntry) }

    /// An override with what is kept about it, without the value of a secret variable; nil if there is none.
    func overrideEntry(of target: OverrideTarget) -> FeatureOverride? {
        guard let value = overrides.value(of: target) else { return nil }
        return FeatureOverride(
            target, value: hidesValues(of: target) ? JSONValue?.none : value, overrides.records[target])
    }

    /// The value in effect apart from rules and experiments, for the log.
    /// - Parameters:
    ///   - target: What the value is of.
    ///   - isHidden: Whether the value may be a secret.
    /// - Returns: The value as JSON text on one line, cut if it is long.
    func loggedValue(of target: OverrideTarget, isHidden: Bool) -> String {
        let value: JSONValue? =
            switch target {
            case .enabled(let feature): enabledCandidates(of: feature.text).first.map { .bool($0.value) }
            case .variable(let key): candidates(key).first?.content.value
            case .variant(let experiment): forced(experiment.text).map { .string($0) }
            }
        guard let value else { return "unset" }
        return isHidden ? "(hidden)" : value.description.oneLine(most: 100)
    }

    /// Whether the log and lists of overrides must not show the values of a target: of a secret variable, and of one
    /// that is defined nowhere before there is a document that could say whether it is encrypted.
    func hidesValues(of target: OverrideTarget) -> Bool {
        guard case .variable(let key) = target else { return false }
        if isSecret(key) { return true }
        return layer(.remote) == nil && !candidates(key).contains { $0.source != .override }
    }
}
