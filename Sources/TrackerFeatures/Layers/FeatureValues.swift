/// What is in effect of a feature.
public struct FeatureValues: Sendable, Hashable {
    /// Whether it is on; nil where nobody has an opinion.
    public let isEnabled: Bool?

    /// The values of its variables by name; those that cannot be decrypted are left out.
    public let variables: [String: JSONValue]

    /// Creates values, as to compare with them.
    /// - Parameters:
    ///   - isEnabled: Whether the feature is on; nil where nobody has an opinion.
    ///   - variables: The values of its variables by name.
    public init(isEnabled: Bool?, variables: [String: JSONValue]) {
        self.isEnabled = isEnabled
        self.variables = variables
    }
}
