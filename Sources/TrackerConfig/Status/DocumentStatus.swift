public import FoundationEssentials

/// The document in use.
public struct DocumentStatus: Sendable, Equatable, Encodable {
    /// The source of the configuration in use; nil if there is none yet.
    public package(set) var state: ConfigurationState?

    /// The version; nil without a configuration, and for a default without a version.
    public package(set) var version: Int?

    /// The time when this process applied it.
    public package(set) var since: Date?

    /// The time when it was fetched; nil for a default.
    public package(set) var fetchTime: Date?

    /// The time when the document's source was last reached, if that was too long ago: since then no fetch was
    /// answered, and no stream was open. nil unless three poll intervals have passed, or, without polling, 3 min
    /// without an open stream.
    public package(set) var staleSince: Date?

    /// The URL from which the document is fetched, without user, password and the values of its query.
    public package(set) var source: String?

    /// The user of the document; nil if there is none.
    public package(set) var user: String?

    /// The document's data for the service, such as its author.
    package var meta = JSONObject()

    /// The warnings of the document in use.
    public package(set) var warnings: [ConfigurationError] = []
}
