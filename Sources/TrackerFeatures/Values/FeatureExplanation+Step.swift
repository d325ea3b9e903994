extension FeatureExplanation {
    /// A part of an explanation: a source, or a rule or an experiment of the source before it.
    package struct Step: Sendable, Hashable {
        /// The outcome of a step.
        @nonexhaustive
        package enum Verdict: String, Sendable, Hashable {
            /// The step gives the value.
            case gives
            /// The step has a value, but one with higher precedence applies.
            case overridden
            /// The step's value has another type, or cannot be decrypted; the next one applies.
            case unreadable
            /// The step has no value: the source does not name the key, or the variant does not set it.
            case noValue
            /// The context matches the rule, but an experiment or the next rule decides the value.
            case matches
            /// The context does not match.
            case doesNotMatch
            /// A gate turns the feature off for its source, or the source disables the feature.
            case blocks
        }

        /// The outcome.
        package let verdict: Verdict

        /// The reason for the outcome, as a sentence; empty if there is none.
        package let text: String

        /// The value of the step, shortened if it is long; nil if there is none, and for a secret.
        package let value: JSONValue?

        /// The source as text, ``FeatureSource/description``; nil for a rule or an experiment.
        package let source: String?

        /// The rule's id; nil for a source or an experiment.
        package internal(set) var rule: String?

        /// The experiment's id; nil for a source or a rule.
        package internal(set) var experiment: String?

        /// The variant that the experiment gives; nil if there is none.
        package internal(set) var variant: String?

        init(_ verdict: Verdict, _ text: String, value: JSONValue?, source: FeatureSource? = nil) {
            (self.verdict, self.text, self.value, self.source) = (verdict, text, value, source?.description)
        }
    }
}

extension FeatureExplanation.Step: CustomStringConvertible {
    /// The step as one line: `rule staff: no, email: missing`.
    package var description: String {
        let name =
            source ?? rule.map { "rule \($0.oneLine(most: 100))" }
            ?? "experiment \(experiment?.oneLine(most: 100) ?? "")"
        return "\(name): \(outcome)"
    }

    /// The outcome as a phrase: "no, email: missing".
    package var outcome: String {
        let shown = isFallback ? "the caller's default" : value?.inWords ?? "a secret"
        let words =
            switch verdict {
            case .gives: "gives \(shown)"
            case .overridden: "overridden: \(shown)"
            case .unreadable: "cannot be used: \(shown)"
            case .noValue: variant == nil ? "no value" : "leaves the value as it is"
            case .matches: "yes"
            case .doesNotMatch: "no"
            case .blocks: "turns the feature off"
            }
        return text.isEmpty ? words : "\(words), \(text)"
    }

    /// Whether the step is the caller's default.
    var isFallback: Bool { source == FeatureSource.fallback.description }
}

extension FeatureExplanation.Step: Encodable {
    /// Encodes the step as an object.
    package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

    /// The step as JSON.
    package var json: JSONObject {
        JSONObject(present: [
            ("source", source.map(JSONValue.string)), ("rule", rule.map(JSONValue.string)),
            ("experiment", experiment.map(JSONValue.string)), ("verdict", .string(verdict.rawValue)),
            ("text", text.isEmpty ? nil : .string(text)), ("value", value), ("variant", variant.map(JSONValue.string)),
        ])
    }
}
