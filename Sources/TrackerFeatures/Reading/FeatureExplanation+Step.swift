extension FeatureExplanation {
    /// A part of an explanation: a source, a rule, or what a rule asks of a context.
    public struct Step: Sendable, Hashable {
        /// What a step is about.
        @nonexhaustive
        public enum Kind: String, Sendable, Hashable {
            /// A source of values, by its words; its steps are its rules and experiments.
            case source
            /// A rule of the feature, by its id.
            case rule
            /// An experiment, by its id.
            case experiment
            /// Another feature that a rule or an experiment requires, by its name; its steps explain that feature.
            case prerequisite
            /// The clause of a condition that fails, by its attribute's path; a condition that holds, by the name `condition`.
            case condition
            /// The time in which a rule, an experiment or a feature applies, if that is not now.
            case schedule
            /// A unit, by its name, with the bucket or the stored variant.
            case unit
        }

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
            /// The context meets it.
            case matches
            /// The context does not meet it.
            case doesNotMatch
            /// A gate turns off what its source says of the feature.
            case blocks
        }

        /// What the step is about.
        public let kind: Kind

        /// The name, see ``Kind-swift.enum``.
        public let name: String

        /// The outcome.
        public let verdict: Verdict

        /// The reason for the outcome, as a sentence; empty if there is nothing to say.
        public let text: String

        /// The value that the step has, or that a condition saw, shortened if it is long; nil for none and for a secret.
        public let value: JSONValue?

        /// The operator of a condition's clause; nil for other steps.
        public let operation: String?

        /// What a condition's clause compares with, or the range [from, to] that a unit's bucket must be in; nil for others.
        public let operand: JSONValue?

        /// The variant that an experiment gives; nil for none.
        public let variant: String?

        /// The parts, in the order in which they are tried.
        public let steps: [Step]

        init(
            _ kind: Kind, _ name: String, _ verdict: Verdict, _ text: String = "", value: JSONValue? = nil,
            operation: String? = nil, operand: JSONValue? = nil, variant: String? = nil, steps: [Step] = []
        ) {
            (self.kind, self.name, self.verdict, self.text) = (kind, name, verdict, text)
            (self.value, self.operation, self.operand) = (value, operation, operand)
            (self.variant, self.steps) = (variant, steps)
        }
    }
}

extension FeatureExplanation.Step: CustomStringConvertible {
    /// The step as an indented text of several lines.
    public var description: String { lines(indentation: 0).joined(separator: "\n") }

    /// The reason with where the unit's bucket is: "variant 'a', by the hash, userId 'u-1' is at 0.61,
    /// covered 0 to below 0.7".
    package var sentence: String {
        guard variant != nil, let last = steps.last?.text else { return text }
        return "\(text), \(last)"
    }

    /// The outcome in words: "no, email: missing".
    package var outcome: String { outcome(under: "") }

    // Without what the line above says already.
    private func outcome(under reason: String) -> String {
        let shown = isFallback ? "the caller's default" : value?.inWords ?? "a secret"
        let words: String? =
            switch verdict {
            case .gives: "gives \(shown)"
            case .overridden: "overridden: \(shown)"
            case .unreadable: "cannot be used: \(shown)"
            case .noValue: variant == nil ? "no value" : "leaves the value as it is"
            case .matches: kind == .unit || kind == .condition ? nil : "yes"
            case .doesNotMatch: kind == .rule || kind == .experiment || kind == .prerequisite ? "no" : nil
            case .blocks: "turns the feature off"
            }
        return [words, text.isEmpty || text == reason ? nil : text].compactMap(\.self).joined(separator: ", ")
    }

    private var isFallback: Bool { kind == .source && name == FeatureSource.fallback.description }

    /// The lines of a text.
    /// - Parameters:
    ///   - indentation: How deep the step is.
    ///   - reason: What the line above says already; empty by default.
    /// - Returns: The lines; none if there is nothing to say.
    func lines(indentation: Int, under reason: String = "") -> [String] {
        if isFallback, verdict != .gives { return [] }
        let outcome = outcome(under: reason)
        let line: String
        switch kind {
        case .source: line = "\(name): \(outcome)"
        case .rule, .experiment, .prerequisite: line = "\(kind.rawValue) \(name.oneLine(most: 100)): \(outcome)"
        case .condition, .schedule, .unit: line = outcome
        }
        let own = line.isEmpty ? [] : [String(repeating: "  ", count: indentation) + line]
        return own + steps.flatMap { $0.lines(indentation: indentation + 1, under: text) }
    }
}

extension FeatureExplanation.Step: Encodable {
    /// Writes the step as an object.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

    /// The step as JSON.
    package var json: JSONObject {
        JSONObject(present: [
            ("kind", .string(kind.rawValue)), ("name", .string(name)), ("verdict", .string(verdict.rawValue)),
            ("text", text.isEmpty ? nil : .string(text)), ("value", value),
            ("operation", operation.map(JSONValue.string)), ("operand", operand),
            ("variant", variant.map(JSONValue.string)),
            ("steps", steps.isEmpty ? nil : .array(steps.map { .object($0.json) })),
        ])
    }

    /// The experiments with a variant, apart from those that another feature depends on.
    var experiments: [Self] {
        if kind == .experiment { return variant == nil ? [] : [self] }
        return kind == .prerequisite ? [] : steps.flatMap(\.experiments)
    }

    /// The values that are overridden, each with its source.
    var overridden: [String] { overridden(in: "") }

    private func overridden(in source: String) -> [String] {
        guard kind == .source || kind == .rule || kind == .experiment else { return [] }
        let own =
            switch kind {
            case .source: name
            case .rule: "\(source), rule \(name)"
            default: "experiment \(name), variant \(variant ?? "")"
            }
        let below = steps.flatMap { $0.overridden(in: own) }
        guard verdict == .overridden, !isFallback else { return below }
        return below + ["\(value?.description.oneLine(most: 200) ?? "a secret") (\(own))"]
    }
}
