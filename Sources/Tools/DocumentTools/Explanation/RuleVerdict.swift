package import TrackerConfig

/// Whether a rule of a feature is for a context, and why.
package struct RuleVerdict: Sendable, Equatable {
    /// The outcome of a rule.
    package enum Outcome: String, Sendable {
        case matches, doesNotMatch
        /// The rule's gate is closed, so that the feature is off.
        case blocks
        /// The rule was not reached, or it decides nothing.
        case notTried
    }

    /// The rule's id.
    package let id: String

    /// The rule's outcome.
    package let outcome: Outcome

    /// The reason: "email matches", "userId 'u-1' is at 0.6312, covered 0 to 0.2".
    package let text: String

    /// Finds the verdicts of all rules of a feature, in the order in which they are tried.
    /// - Parameters:
    ///   - feature: The feature's name.
    ///   - layers: The layers with the rules.
    ///   - readings: The explanations of the feature and of its variables.
    /// - Returns: The verdicts.
    static func all(of feature: String, in layers: FeatureLayers, _ readings: [FeatureExplanation]) -> [RuleVerdict] {
        layers.rules(of: feature).flatMap { source, rules in
            let steps = readings.flatMap { reading in
                let start = reading.steps.firstIndex { $0.source == "\(source)" } ?? reading.steps.endIndex
                let rest = reading.steps[start...]
                return rest.prefix(1) + rest.dropFirst().prefix { $0.source == nil }
            }
            return rules.map { rule in
                let step = steps.first { $0.rule?.isExactly(rule.id) ?? false }
                return step.map { RuleVerdict(rule, $0) } ?? RuleVerdict(rule, among: steps)
            }
        }
    }

    private init(_ rule: FeatureRule, _ step: FeatureExplanation.Step) {
        id = rule.id
        outcome = step.verdict == .doesNotMatch ? .doesNotMatch : step.verdict == .blocks ? .blocks : .matches
        text = step.text.isEmpty ? "for all contexts" : step.text
    }

    /// The verdict of a rule that was not reached.
    private init(_ rule: FeatureRule, among steps: [FeatureExplanation.Step]) {
        (id, outcome) = (rule.id, .notTried)
        if let gate = steps.first(where: { $0.rule != nil && $0.verdict == .blocks })?.rule {
            text = "the gate of rule \(gate.oneLine(most: 100)) is closed"
        } else if steps.contains(where: { $0.verdict == .blocks }) {
            text = "the feature is disabled"
        } else {
            text = rule.isUsable ? "it decides nothing" : "the rule has a key or a value that cannot be used"
        }
    }

    /// The mark and the reason: "✓ email matches".
    package var line: String { "\(outcome == .matches ? "✓" : outcome == .notTried ? "–" : "✗") \(text)" }

    /// The verdict as JSON.
    package var json: JSONValue {
        ["id": .string(id), "verdict": .string(outcome.rawValue), "text": .string(text)]
    }
}
