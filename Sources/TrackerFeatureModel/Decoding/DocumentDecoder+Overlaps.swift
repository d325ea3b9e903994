extension DocumentDecoder {
    /// Warns about variables that two experiments override for the same units, once for each experiment and variable.
    /// - Parameters:
    ///   - experiments: The experiments.
    ///   - features: The features, whose rules assign experiments to their own contexts.
    ///   - node: The document's `experiments`.
    mutating func checkOverlaps(of experiments: [Experiment], _ features: [FeatureDefinition], _ node: JSONNode) {
        guard case .array(let elements) = node.content else { return }
        var ruled: Set<VariableKey> = []
        for feature in features {
            ruled.formUnion(feature.rules.compactMap { $0.experiment.map { VariableKey(feature.name, $0.id) } })
        }
        var owners: [VariableKey: Experiment] = [:]
        for (index, experiment) in experiments.enumerated() where experiment.givesVariantsByShares {
            var known: Set<VariableKey> = []
            for (key, offset) in overriddenVariables(of: elements[index])
            where !ruled.contains(VariableKey(key.feature, experiment.id)) && known.insert(key).inserted {
                if let owner = owners[key], owner.isForAll || experiment.isForAll {
                    warn(
                        "the experiment \(owner.id.excerpt) overrides this variable too, and wins for units in both",
                        offset)
                }
                if owners[key] == nil { owners[key] = experiment }
            }
        }
    }

    /// The variables that the variants of an experiment override, in the order of the text.
    private func overriddenVariables(of experiment: JSONNode) -> [(key: VariableKey, offset: Int)] {
        guard case .array(let variants)? = experiment.members?["variants"]?.content else { return [] }
        return variants.flatMap { variant in
            (variant.members?["values"]?.members ?? []).flatMap { feature in
                (feature.value.members ?? []).filter { !$0.isNull }
                    .map { (VariableKey(feature.name, $0.name), $0.nameOffset) }
            }
        }
    }
}

extension Experiment {
    /// Whether its units get variants by their shares.
    fileprivate var givesVariantsByShares: Bool { isEnabled && isUsable && forcedVariant == nil }

    /// Whether only the shares decide which units take part, so that it shares units with every other experiment.
    fileprivate var isForAll: Bool {
        targeting == Targeting() && countries == nil && languages == nil
            && ranges == Bucketing.ranges(weights: variants.map(\.weight), coverage: coverage)
    }
}
