package import TrackerConfig

/// What decides a feature beside its own rules, before and after a change.
package struct RuleSurroundings: Sendable {
    /// The default document's features.
    let `default`: [ExactText: FeatureDefinition]
    /// The features of which units may get something else, by their own change or by that of a prerequisite.
    private let unstable: Set<ExactText>
    /// The features of which a variant decides something.
    private let decided: Set<ExactText>
    private let haveExperimentsChanged: Bool

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
        unstable = Self.unstable(old.byName, new.byName)
        let variants = (experiments.old + experiments.new).flatMap(\.variants)
        decided = Set(variants.flatMap { Array($0.overrides.keys) + Array($0.enabledFeatures.keys) })
        haveExperimentsChanged = experiments.old != experiments.new
    }

    /// Why the rules of a feature alone do not determine what units get; nil if they do.
    func obstacle(of feature: String, _ rules: [FeatureRule]) -> RuleMoves.Obstacle? {
        if rules.contains(where: { $0.experiment != nil }) { return .experiments }
        if decided.contains(ExactText(feature)) { return .experiments }
        if `default`[exactly: feature].map({ !$0.rules.isEmpty }) ?? false { return .default }
        let prerequisites = rules.flatMap(\.prerequisiteNames)
        let isUnstable = !prerequisites.isEmpty && (haveExperimentsChanged || !unstable.isDisjoint(with: prerequisites))
        return isUnstable ? .prerequisites : nil
    }

    /// The features that differ, and those that depend on them, each looked at once.
    private static func unstable(
        _ old: [ExactText: FeatureDefinition], _ new: [ExactText: FeatureDefinition]
    ) -> Set<ExactText> {
        var dependents: [ExactText: [ExactText]] = [:]
        for (name, feature) in new {
            for prerequisite in feature.rules.flatMap(\.prerequisiteNames) {
                dependents[prerequisite, default: []].append(name)
            }
        }
        var unstable = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
        var open = Array(unstable)
        while let name = open.popLast() {
            for dependent in dependents[name] ?? [] where unstable.insert(dependent).inserted { open.append(dependent) }
        }
        return unstable
    }
}

extension [FeatureDefinition] {
    fileprivate var byName: [ExactText: FeatureDefinition] { Dictionary(map { (ExactText($0.name), $0) }) { $1 } }
}

extension FeatureRule {
    /// The names of the features of which the rule asks something.
    fileprivate var prerequisiteNames: [ExactText] { targeting.prerequisites.map { ExactText($0.feature) } }
}
