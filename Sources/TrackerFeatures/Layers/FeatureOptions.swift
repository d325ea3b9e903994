/// What ``Setup/features`` works with; part of ``SetupOptions``.
public struct FeatureOptions: Sendable {
    /// The service's own providers, the highest in priority first; built in: none.
    public var providers: [any FeatureProvider] = []

    /// The file that keeps what is set by ``Features/overrides``; nil, which is built in, keeps it in memory only.
    public var overridesFile: String?

    /// How encrypted variables are read, of documents and of providers that have no ``FeatureProvider/decrypt`` of their
    /// own; nil, which is built in, makes reading one an error.
    public var decrypt: Decrypt?

    /// Creates options that are all built in.
    public init() {}
}
