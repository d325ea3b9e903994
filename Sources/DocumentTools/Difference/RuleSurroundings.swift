package import TrackerConfig

/// What decides a feature beside its own rules, before and after a change.
package struct RuleSurroundings: Sendable {
    /// The default document's features.
    let `default`: [ExactText: FeatureDefinition]
    private let features: (old: [ExactText: FeatureDefinition], new: [ExactText: FeatureDefinition])
    private let experiments: (old: [Experiment], new: [Experiment])

    /// Creates the surroundings of features.
    /// - Parameters:
    ///   - old: The features before.
    ///   - new: The features after.
    ///   - experiments: The experiments before and after; none by default.
    ///   - default: The default document's features; none by default.
    package init(
        from old: [FeatureDefinition], to new: [FeatureDefinition],
        experiments: (old: [Experiment], new: [Experiment]) = ([], []), default: [FeatureDefinition] = []
    ) {
        self.default = `default`.byName
        features = (old.byName, new.byName)
        self.experiments = experiments
    }

    /// Why the rules of a feature alone do not tell what units get; nil if they do.
    func obstacle(of feature: String, _ rules: [FeatureRule]) -> RuleMoves.Obstacle? {
        if rules.contains(where: { $0.experiment != nil }) { return .experiments }
        let all = experiments.old + experiments.new
        if all.contains(where: { $0.decides(feature) }) { return .experiments }
        if `default`[exactly: feature].map({ !$0.rules.isEmpty }) ?? false { return .default }
        let prerequisites = rules.flatMap { $0.targeting.prerequisites.map(\.feature) }
        return prerequisites.allSatisfy { isStable($0, []) } ? nil : .prerequisites
    }

    /// Whether a feature gives each unit before and after the same.
    private func isStable(_ feature: String, _ path: Set<ExactText>) -> Bool {
        let name = ExactText(feature)
        guard !path.contains(name) else { return true }
        let (old, new) = (features.old[name], features.new[name])
        guard old == new, experiments.old == experiments.new else { return false }
        let prerequisites = (new?.rules ?? []).flatMap { $0.targeting.prerequisites.map(\.feature) }
        return prerequisites.allSatisfy { isStable($0, path.union([name])) }
    }
}

extension [FeatureDefinition] {
    fileprivate var byName: [ExactText: FeatureDefinition] { Dictionary(map { (ExactText($0.name), $0) }) { $1 } }
}

extension Experiment {
    /// Whether a variant decides something of a feature.
    fileprivate func decides(_ feature: String) -> Bool {
        let name = ExactText(feature)
        return variants.contains { $0.overrides[name] != nil || $0.enabledFeatures[name] != nil }
    }
}
