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
            let steps = readings.flatMap(\.steps).filter { $0.kind == .source && $0.name == "\(source)" }
            let tried = steps.flatMap(\.steps).filter { $0.kind == .rule }
            return rules.map { rule in
                let step = tried.first { $0.name.isExactly(rule.id) }
                return step.map { RuleVerdict(rule, $0) }
                    ?? RuleVerdict(id: rule.id, outcome: .notTried, text: obstacle(steps, rule))
            }
        }
    }

    private init(id: String, outcome: Outcome, text: String) {
        (self.id, self.outcome, self.text) = (id, outcome, text)
    }

    private init(_ rule: FeatureRule, _ step: FeatureExplanation.Step) {
        let reasons = step.steps.filter { $0.kind != .experiment }.map(\.text).filter { !$0.isEmpty }
        let failure = reasons.last ?? step.text
        switch step.verdict {
        case .doesNotMatch: self.init(id: rule.id, outcome: .doesNotMatch, text: failure)
        case .blocks: self.init(id: rule.id, outcome: .blocks, text: failure)
        default:
            let text = reasons.isEmpty ? "for all contexts" : reasons.joined(separator: "; ")
            self.init(id: rule.id, outcome: .matches, text: text)
        }
    }

    /// Why a rule was not reached.
    private static func obstacle(_ steps: [FeatureExplanation.Step], _ rule: FeatureRule) -> String {
        for step in steps {
            if let schedule = step.steps.first(where: { $0.kind == .schedule }) {
                return "the feature \(schedule.text)"
            }
            guard step.verdict == .blocks else { continue }
            let gate = step.steps.last { $0.verdict == .blocks }
            return gate.map { "the gate of rule \($0.name.oneLine(most: 100)) is closed" } ?? "the feature is disabled"
        }
        return rule.isUsable ? "it decides nothing" : "the rule has a key or a value that cannot be used"
    }

    /// The mark and the reason: "✓ email matches".
    package var line: String { "\(outcome == .matches ? "✓" : outcome == .notTried ? "–" : "✗") \(text)" }

    /// The verdict as JSON.
    package var json: JSONValue {
        ["id": .string(id), "verdict": .string(outcome.rawValue), "text": .string(text)]
    }
}
