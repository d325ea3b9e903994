/// The options of ``Setup/features``; part of ``SetupOptions``.
public struct FeatureOptions: Sendable {
    /// The service's own providers, the highest in precedence first; empty by default.
    public var providers: [any FeatureValueProvider] = []

    /// The path of the file that stores ``Features/overrides``; nil, the default, keeps them in memory only.
    public var overridesFile: String?

    /// Decrypts the variables of documents, and of providers without a ``FeatureValueProvider/decrypt`` of their own; nil, the
    /// default, makes reading an encrypted variable an error.
    public var decrypt: (@Sendable (EncryptedVariable) throws -> JSONValue)?

    /// Creates options with the default values.
    public init() {}
}
