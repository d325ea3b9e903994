/// The values of a feature in effect.
public struct FeatureValues: Sendable, Hashable {
    /// Whether the feature is enabled; nil if no source defines it.
    public let isEnabled: Bool?

    /// The values of the feature's variables by name, without those that cannot be decrypted.
    public let variables: [String: JSONValue]

    /// Creates values, for example to compare with.
    /// - Parameters:
    ///   - isEnabled: Whether the feature is enabled; nil if no source defines it.
    ///   - variables: The values of the feature's variables by name.
    public init(isEnabled: Bool?, variables: [String: JSONValue]) {
        self.isEnabled = isEnabled
        self.variables = variables
    }
}
