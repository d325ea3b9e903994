/// A configuration that was applied.
public struct ConfigurationUpdate: Sendable {
    /// Where the configuration came from.
    public let state: ConfigurationState

    /// Its version; nil for a default without one.
    public let version: Int?

    /// The namespaces of the configuration that have a tracker, in the configuration's order.
    public let namespaces: [String]

    /// All trackers that there are, by namespace; those of ``namespaces`` and any others.
    public let trackers: [String: Tracker]

    /// The setup's features, with those of the configuration.
    public let features: Features

    /// What the document carries for the service itself.
    public let meta: JSONObject

    /// What is odd and was lived with.
    public let warnings: [ConfigurationWarning]

    /// Creates an update, for example to try a callback.
    /// - Parameters:
    ///   - state: Where the configuration came from.
    ///   - version: Its version.
    ///   - namespaces: The namespaces of the configuration that have a tracker.
    ///   - trackers: All trackers, by namespace.
    ///   - features: The features.
    ///   - meta: What the document carries for the service itself.
    ///   - warnings: What is odd.
    public init(
        state: ConfigurationState, version: Int? = nil, namespaces: [String] = [], trackers: [String: Tracker] = [:],
        features: Features = Features(), meta: JSONObject = JSONObject(), warnings: [ConfigurationWarning] = []
    ) {
        self.state = state
        self.version = version
        self.namespaces = namespaces
        self.trackers = trackers
        self.features = features
        self.meta = meta
        self.warnings = warnings
    }

    init(
        _ configuration: ActiveConfiguration, namespaces: [String], trackers: [String: Tracker], features: Features,
        warnings: [ConfigurationWarning]
    ) {
        (state, version, meta) = (configuration.state, configuration.version, configuration.meta)
        (self.namespaces, self.trackers, self.features) = (namespaces, trackers, features)
        self.warnings = warnings
    }
}

/// Where a configuration came from.
@nonexhaustive
public enum ConfigurationState: String, Sendable, Hashable, Codable {
    /// From the service's code.
    case `default`
    /// From an earlier fetch.
    case cached
    /// From a fetch of this process.
    case fetched
    /// One from before a document that this process reverted, see ``Rollout``.
    case reverted
}
