/// The value of a variable with its source, and the values that it overrides.
///
/// ```swift
/// print(setup.features.explain("checkout", variable: "retryLimit")!)    // 5 (override), over 3 (remote, version 4)
/// ```
public struct VariableExplanation: Sendable, Hashable {
    /// The value in effect; nil if it is a secret.
    public let value: JSONValue?

    /// The source of the value.
    public let source: FeatureSource

    /// The id of the rule that gives the value; nil if none does.
    public let rule: String?

    /// Whether the value is encrypted.
    public let isEncrypted: Bool

    /// The values that are overridden, the next in precedence first; none of them has ``overridden`` values itself.
    public internal(set) var overridden: [VariableExplanation] = []

    package init(value: JSONValue? = nil, source: FeatureSource, rule: String? = nil, isEncrypted: Bool = false) {
        self.value = value
        self.source = source
        self.rule = rule
        self.isEncrypted = isEncrypted
    }
}

extension VariableExplanation: CustomStringConvertible {
    /// The value, its source and the values that it overrides, on one line: `9 (remote, version 4, rule staff), over 3 (default)`.
    public var description: String {
        let own = "\(value?.description ?? "a secret") (\(source)\(rule.map { ", rule \($0)" } ?? ""))"
        return overridden.isEmpty
            ? own : own + ", over " + overridden.map(\.description).joined(separator: ", ")
    }
}
