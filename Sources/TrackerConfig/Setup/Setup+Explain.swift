public import FoundationEssentials

/// The configuration of a setup and its sources, at one moment.
public struct SetupExplanation: Sendable, Codable {
    /// The document's URL, without user, password and the values of its query.
    public let source: String

    /// The user whose document it is; nil if there is none.
    public let user: String?

    /// The source of the configuration in use; nil if there is none.
    public let state: ConfigurationState?

    /// The version; nil for a default without one.
    public let version: Int?

    /// The time when it was applied; for a cached document the time when it was fetched.
    public let time: Date?

    /// The instance's id, by which rollouts select it; nil if it has none, so that no rollout selects it.
    public let instanceID: String?

    /// The outcomes of documents and fetches, the newest first; at most 50.
    public let changes: [ConfigurationChange]

    /// Whether a fetch is in progress.
    public let isFetching: Bool

    /// The time of the next fetch; nil without polling.
    public let nextPoll: Date?

    /// Each tracker's settings, by namespace and then by section and field, such as `subject.userId`.
    public let trackers: [String: [String: SettingExplanation]]

    /// Creates an explanation.
    /// - Parameters:
    ///   - source: The document's URL, without user, password and the values of its query.
    ///   - user: The user whose document it is.
    ///   - state: Where the configuration in use came from.
    ///   - version: The version.
    ///   - time: The time when it was applied.
    ///   - instanceID: The instance's id, by which rollouts select it.
    ///   - changes: The outcomes of documents and fetches, the newest first.
    ///   - isFetching: Whether a fetch is in progress.
    ///   - nextPoll: When the document is fetched next.
    ///   - trackers: Each tracker's settings, by namespace and then by section and field, such as `subject.userId`.
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
    /// - Returns: The explanation. It has no secrets, so it can be encoded as it is. In a forked child it has the trackers alone.
    public func explain() -> SetupExplanation {
        let trackers = registry.trackers.mapValues { tracker in
            Dictionary(tracker.explanations().map { ($0.field, $0.explanation) }) { first, _ in first }
        }
        guard let status = snapshot else {
            let url = updater.parts.remote.endpoint
            return SetupExplanation(source: EndpointURL.withoutSecrets(url), trackers: trackers)
        }
        return SetupExplanation(
            source: EndpointURL.withoutSecrets(status.scope.url), user: status.scope.user, state: status.active?.state,
            version: status.active?.version, time: status.active.map { Date(milliseconds: $0.time) },
            instanceID: status.instanceID,
            changes: status.history.changes, isFetching: status.isFetching,
            nextPoll: status.history.nextPoll.map { Date(milliseconds: $0.time(seenAt: pipeline.clocks)) },
            trackers: trackers)
    }

    /// The effective configuration in the form of a document: the bundles with all their settings, including those that
    /// code set and without secrets, and the meta.
    public var effectiveConfiguration: JSONObject {
        let active = snapshot?.active
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
