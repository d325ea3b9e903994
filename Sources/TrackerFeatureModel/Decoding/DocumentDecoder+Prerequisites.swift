extension DocumentDecoder {
    /// Warns of prerequisites between a document's features that are never met, because they are too deep or too many, or
    /// because a feature waits for itself.
    /// - Parameters:
    ///   - features: The features.
    ///   - experiments: The experiments, whose prerequisites count for the features that they decide.
    ///   - node: The document's `features`.
    mutating func checkPrerequisites(
        _ features: [FeatureDefinition], _ experiments: [Experiment], _ node: JSONNode
    ) {
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
        if asked.isEmpty { return }
        guard case .object(let members) = node.content else { return }
        var search = PrerequisiteSearch(asked)
        for member in members {
            for (feature, fault) in search.faults(from: ExactText(member.name)) {
                let offset = members.first { $0.name.isExactly(feature.text) }?.nameOffset ?? member.nameOffset
                warn(Self.place(ofFeature: feature.text), fault, offset)
            }
        }
    }
}

/// Follows prerequisites from feature to feature, each once. Without recursion, because a document may chain thousands.
private struct PrerequisiteSearch {
    /// A feature on the way, with what is still to be followed.
    private struct Step {
        let feature: ExactText
        var rest: ArraySlice<ExactText>
        var depth = 0
        var evaluations = 0
    }

    private let asked: [ExactText: Set<ExactText>]
    /// What is known of the features that were followed to the end.
    private var known: [ExactText: (depth: Int, evaluations: Int)] = [:]

    init(_ asked: [ExactText: Set<ExactText>]) {
        self.asked = asked
    }

    /// What is wrong with a feature and those that it asks for, unless it was found before.
    mutating func faults(from start: ExactText) -> [(feature: ExactText, fault: String)] {
        if known[start] != nil { return [] }
        var faults: [(ExactText, String)] = []
        var steps = [step(start)]
        var path: Set<ExactText> = [start]
        while var step = steps.popLast() {
            guard let next = step.rest.popFirst() else {
                path.remove(step.feature)
                known[step.feature] = (step.depth, step.evaluations)
                // Of a longer chain the first feature that is too deep is named.
                if step.depth == Prerequisite.maxDepth + 1 {
                    faults.append((step.feature, Self.tooDeep))
                }
                if step.evaluations > Prerequisite.maxEvaluations, step.depth <= Prerequisite.maxDepth {
                    faults.append((step.feature, Self.tooMany))
                }
                continue
            }
            if let result = known[next] {
                step.depth = max(step.depth, result.depth + 1)
                step.evaluations = min(step.evaluations + 1 + result.evaluations, Prerequisite.maxEvaluations + 1)
                steps.append(step)
            } else if path.contains(next) {
                let fault =
                    next == step.feature
                    ? "the feature is its own prerequisite, which is never met"
                    : "the prerequisite \(next.text.excerpt) waits for this feature, so it is never met"
                faults.append((step.feature, fault))
                steps.append(step)
            } else {
                step.rest.append(next)
                path.insert(next)
                steps += [step, self.step(next)]
            }
        }
        return faults
    }

    private func step(_ feature: ExactText) -> Step {
        // Sorted, so that a document has the same warnings each time.
        Step(feature: feature, rest: ArraySlice((asked[feature] ?? []).sorted()))
    }

    private static let tooDeep =
        "more than \(Prerequisite.maxDepth) features wait for each other; prerequisites that far away are not met"
    private static let tooMany =
        "more than \(Prerequisite.maxEvaluations) prerequisites follow from this feature; the others are not met"
}
