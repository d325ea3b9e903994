/// What is in effect of a feature.
public struct FeatureValues: Sendable, Hashable {
    /// Whether it is on; nil where nobody has an opinion.
    public let isEnabled: Bool?

    /// The values of its variables by name; those that cannot be decrypted are left out.
    public let variables: [String: JSONValue]
}
