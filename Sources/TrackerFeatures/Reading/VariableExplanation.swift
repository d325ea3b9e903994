/// The value of a variable with its source, and the values that it overrides.
///
/// ```swift
/// print(setup.features.explain("checkout", variable: "retryLimit")!)    // 5 (override), over 3 (remote, version 4)
/// ```
public struct VariableExplanation: Sendable, Hashable {
    /// The value of one source.
    public struct Candidate: Sendable, Hashable {
        /// The value; nil if it is a secret.
        public let value: JSONValue?

        /// The source of the value.
        public let source: FeatureSource

        /// The id of the rule that gives the value; nil if none does.
        public let rule: String?

        /// Whether the value is encrypted.
        public let isEncrypted: Bool

        package init(
            value: JSONValue? = nil, source: FeatureSource, rule: String? = nil, isEncrypted: Bool = false
        ) {
            self.value = value
            self.source = source
            self.rule = rule
            self.isEncrypted = isEncrypted
        }
    }

    /// The value in effect.
    public let effective: Candidate

    /// The values that are overridden, the next in precedence first.
    public let overridden: [Candidate]

    package init(effective: Candidate, overridden: [Candidate] = []) {
        self.effective = effective
        self.overridden = overridden
    }

    /// The value in effect; nil if it is a secret.
    public var value: JSONValue? { effective.value }

    /// The source of the value in effect.
    public var source: FeatureSource { effective.source }
}

extension VariableExplanation: CustomStringConvertible {
    /// The value, its source and the values that it overrides, on one line.
    public var description: String {
        let others = overridden.isEmpty ? "" : ", over " + overridden.map(\.description).joined(separator: ", ")
        return effective.description + others
    }
}

extension VariableExplanation.Candidate: CustomStringConvertible {
    /// The value and its source: `5 (remote, version 4, rule staff)`.
    public var description: String {
        "\(value?.description ?? "a secret") (\(source)\(rule.map { ", rule \($0)" } ?? ""))"
    }
}
