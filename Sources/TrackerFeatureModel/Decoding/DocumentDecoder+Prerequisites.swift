extension DocumentDecoder {
    /// Warns about prerequisites that are never met, because a feature of the document depends on itself.
    /// - Parameters:
    ///   - features: The features.
    ///   - experiments: The experiments, whose prerequisites count for the features that they override.
    ///   - node: The document's `features`.
    mutating func checkPrerequisites(_ features: [FeatureDefinition], _ experiments: [Experiment], _ node: JSONNode) {
        var asked: [ExactText: Set<ExactText>] = [:]
        func add(_ prerequisites: [Prerequisite], of feature: ExactText) {
            for prerequisite in prerequisites { asked[feature, default: []].insert(ExactText(prerequisite.feature)) }
        }
        for feature in features {
            for rule in feature.rules {
                add(rule.targeting.prerequisites, of: ExactText(feature.name))
                add(rule.experiment?.targeting.prerequisites ?? [], of: ExactText(feature.name))
            }
        }
        for experiment in experiments where !experiment.targeting.prerequisites.isEmpty {
            for variant in experiment.variants {
                for feature in variant.overrides.keys { add(experiment.targeting.prerequisites, of: feature) }
                for feature in variant.enabledFeatures.keys { add(experiment.targeting.prerequisites, of: feature) }
            }
        }
        guard !asked.isEmpty, case .object(let members) = node.content else { return }
        var known: Set<ExactText> = []
        var done: Set<ExactText> = []
        for member in members {
            // Without recursion, because a document may have chains of thousands.
            var path: [(feature: ExactText, rest: [ExactText])] = []
            func follow(_ feature: ExactText) -> Bool {
                guard known.insert(feature).inserted else { return false }
                // Sorted, so that a document has the same warnings each time.
                path.append((feature, (asked[feature] ?? []).sorted(by: >)))
                return true
            }
            _ = follow(ExactText(member.name))
            while let feature = path.last?.feature {
                guard let next = path[path.count - 1].rest.popLast() else {
                    done.insert(path.removeLast().feature)
                    continue
                }
                if follow(next) || done.contains(next) { continue }
                let fault =
                    next == feature
                    ? "the feature is its own prerequisite, which is never met"
                    : "the prerequisite \(next.text.excerpt) waits for this feature, so it is never met"
                let offset = members.first { $0.name.isExactly(feature.text) }?.nameOffset ?? member.nameOffset
                warn(fault, offset)
            }
        }
    }
}
