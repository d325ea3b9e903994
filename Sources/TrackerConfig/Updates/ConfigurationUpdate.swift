/// An applied configuration.
public struct ConfigurationUpdate: Sendable {
    /// The source of the configuration.
    public let state: ConfigurationState

    /// The version; nil for a default without a version.
    public let version: Int?

    /// The namespaces of the configuration that have a tracker, in the configuration's order.
    public let namespaces: [String]

    /// All trackers by namespace: those of ``namespaces`` and any others.
    public let trackers: [String: Tracker]

    /// The setup's features, with those of the configuration.
    public let features: Features

    /// The document's `meta`, for the service itself.
    public let meta: JSONObject

    /// The parts of the document that were ignored or clamped.
    public let warnings: [ConfigurationError]
}
