/// The value of a variable, where it comes from and what it won over.
///
/// ```swift
/// print(setup.features.explain("checkout", "retryLimit")!)    // 5 (override), over 3 (remote, version 4)
/// ```
public struct VariableExplanation: Sendable, Hashable {
    /// What one of those that have the variable says.
    public struct Candidate: Sendable, Hashable {
        /// The value; nil where it is a secret.
        public let value: JSONValue?

        /// Who says so.
        public let source: FeatureSource

        /// Whether the value is encrypted.
        public let isEncrypted: Bool
    }

    /// What is in effect.
    public let winner: Candidate

    /// What it won over, the next in line first.
    public let overridden: [Candidate]

    /// The value in effect; nil where it is a secret.
    public var value: JSONValue? { winner.value }

    /// Where the value in effect comes from.
    public var source: FeatureSource { winner.source }
}

extension VariableExplanation: CustomStringConvertible {
    /// The value, its source and what it won over, on one line.
    public var description: String {
        let losers = overridden.isEmpty ? "" : ", over " + overridden.map(\.description).joined(separator: ", ")
        return winner.description + losers
    }
}

extension VariableExplanation.Candidate: CustomStringConvertible {
    /// The value and its source: `5 (remote, version 4)`.
    public var description: String { "\(value?.description ?? "a secret") (\(source))" }
}
