/// The source of a configuration.
@nonexhaustive
public enum ConfigurationState: String, Sendable, Hashable, Encodable {
    /// The default of the service's code.
    case `default`
    /// The cached document of an earlier fetch.
    case cached
    /// The document of a fetch of this process.
    case fetched
    /// The configuration before a document that this process reverted.
    case reverted
}
