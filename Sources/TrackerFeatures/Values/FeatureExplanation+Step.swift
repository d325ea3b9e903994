extension FeatureExplanation {
    /// A part of an explanation: a source, or a rule or an experiment of the source before it.
    public struct Step: Sendable, Hashable {
        /// The outcome of a step.
        @nonexhaustive
        public enum Verdict: String, Sendable, Hashable {
            /// It gives the value.
            case gives
            /// It has a value, but a higher one applies.
            case overridden
            /// Its value is of another type, or cannot be decrypted; the next one applies.
            case unreadable
            /// It has no value for this: a source that does not name it, or a variant that leaves it as it is.
            case noValue
            /// The context meets the rule, which leaves the value to an experiment or to the next rule.
            case matches
            /// The context does not meet it.
            case doesNotMatch
            /// A gate turns off what its source says of the feature, or the source disables the feature.
            case blocks
        }

        /// The outcome.
        public let verdict: Verdict

        /// The reason for the outcome, as a sentence; empty if there is nothing to say.
        public let text: String

        /// The value that the step has, shortened if it is long; nil for none and for a secret.
        public let value: JSONValue?

        /// The source in words, ``FeatureSource/description``; nil for a rule or an experiment.
        public let source: String?

        /// The rule's id; nil for a source or an experiment.
        public internal(set) var rule: String?

        /// The experiment's id; nil for a source or a rule.
        public internal(set) var experiment: String?

        /// The variant that the experiment gives; nil for none.
        public internal(set) var variant: String?

        init(_ verdict: Verdict, _ text: String, value: JSONValue?, source: FeatureSource? = nil) {
            (self.verdict, self.text, self.value, self.source) = (verdict, text, value, source?.description)
        }
    }
}

extension FeatureExplanation.Step: CustomStringConvertible {
    /// The step as one line: `rule staff: no, email: missing`.
    public var description: String {
        let name =
            source ?? rule.map { "rule \($0.oneLine(most: 100))" }
            ?? "experiment \(experiment?.oneLine(most: 100) ?? "")"
        return "\(name): \(outcome)"
    }

    /// The outcome in words: "no, email: missing".
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

    /// Whether it is the caller's default.
    var isFallback: Bool { source == FeatureSource.fallback.description }
}

extension FeatureExplanation.Step: Encodable {
    /// Writes the step as an object.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

    /// The step as JSON.
    package var json: JSONObject {
        JSONObject(present: [
            ("source", source.map(JSONValue.string)), ("rule", rule.map(JSONValue.string)),
            ("experiment", experiment.map(JSONValue.string)), ("verdict", .string(verdict.rawValue)),
            ("text", text.isEmpty ? nil : .string(text)), ("value", value), ("variant", variant.map(JSONValue.string)),
        ])
    }
}
