public import FoundationEssentials

/// What a setup has in effect and where it comes from, at one moment.
public struct SetupExplanation: Sendable, Codable {
    /// The document's URL, without user, password and the values of its query.
    public let source: String

    /// The user whose document that is; nil if there is none.
    public let user: String?

    /// Where the configuration in use came from; nil if there is none.
    public let state: ConfigurationState?

    /// Its version; nil for a default without one.
    public let version: Int?

    /// When it was applied; of a cached one when it was fetched.
    public let time: Date?

    /// By what this instance is drawn for rollouts; nil draws it for none.
    public let instanceID: String?

    /// What became of documents and fetches, the newest first; at most 50.
    public let changes: [ConfigurationChange]

    /// Whether a fetch is under way.
    public let isFetching: Bool

    /// When the document is fetched next; nil without polling.
    public let nextPoll: Date?

    /// Each tracker's settings by namespace, and by section and field as `subject.userId`.
    public let trackers: [String: [String: SettingExplanation]]

    /// Creates an explanation.
    /// - Parameters:
    ///   - source: The document's URL, without user, password and the values of its query.
    ///   - user: The user whose document that is.
    ///   - state: Where the configuration in use came from.
    ///   - version: Its version.
    ///   - time: When it was applied.
    ///   - instanceID: By what this instance is drawn for rollouts.
    ///   - changes: What became of documents and fetches, the newest first.
    ///   - isFetching: Whether a fetch is under way.
    ///   - nextPoll: When the document is fetched next.
    ///   - trackers: Each tracker's settings by namespace, and by section and field as `subject.userId`.
    public init(
        source: String, user: String? = nil, state: ConfigurationState? = nil, version: Int? = nil, time: Date? = nil,
        instanceID: String? = nil, changes: [ConfigurationChange] = [], isFetching: Bool = false, nextPoll: Date? = nil,
        trackers: [String: [String: SettingExplanation]] = [:]
    ) {
        self.source = source
        self.user = user
        self.state = state
        self.version = version
        self.time = time
        self.instanceID = instanceID
        self.changes = changes
        self.isFetching = isFetching
        self.nextPoll = nextPoll
        self.trackers = trackers
    }
}

extension Setup {
    /// Explains all settings of all trackers.
    /// - Returns: The explanation; to be encoded as it is, for it has no secrets.
    public func explain() -> SetupExplanation {
        let status = updater.status
        let trackers = registry.trackers.mapValues { tracker in
            Dictionary(tracker.explanations().map { ($0.field, $0.explanation) }) { first, _ in first }
        }
        return SetupExplanation(
            source: EndpointURL.withoutSecrets(status.scope.url), user: status.scope.user, state: status.active?.state,
            version: status.active?.version, time: status.active.map { Date(milliseconds: $0.time) },
            instanceID: status.instanceID,
            changes: status.history.changes, isFetching: status.isFetching,
            nextPoll: status.history.nextPoll.map(Date.init(milliseconds:)),
            trackers: trackers)
    }

    /// What is in effect, in the form of a document: the bundles with all their settings, what was set in code included and
    /// secrets left out, and the meta.
    public var effectiveConfiguration: JSONObject {
        let active = updater.status.active
        let bundles = registry.trackers.sorted { $0.key < $1.key }.map { JSONValue.object($0.value.effectiveBundle) }
        var document: JSONObject = [
            "$schema": "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion": active?.version.map(JSONValue.int) ?? .null,
            "configurationBundle": .array(bundles),
        ]
        if let meta = active?.meta, !meta.isEmpty { document["meta"] = .object(meta) }
        return document
    }
}
