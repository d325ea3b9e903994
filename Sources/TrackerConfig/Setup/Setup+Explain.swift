/// What a setup has in effect and where it comes from, at one moment.
public struct SetupExplanation: Sendable, Codable {
    /// The document's URL, without user, password and the values of its query.
    public let source: String

    /// The user whose document that is; nil for nobody.
    public let user: String?

    /// Where the configuration in use came from; nil where there is none.
    public let state: ConfigurationState?

    /// Its version; nil for a default without one.
    public let version: Int?

    /// When it was applied, in milliseconds since 1970; of a cached one when it was fetched.
    public let time: Int64?

    /// By what this instance is drawn for rollouts; nil draws it for none.
    public let instanceID: String?

    /// How the newest 50 fetches ended, the newest first.
    public let fetches: [FetchRecord]

    /// Whether a fetch is under way.
    public let isFetching: Bool

    /// When the document is asked for next, in milliseconds since 1970; nil where nobody polls.
    public let nextPoll: Int64?

    /// Each tracker's settings by namespace, and by section and field as `subject.userId`.
    public let trackers: [String: [String: SettingExplanation]]
}

extension Setup {
    /// Explains all settings of all trackers.
    /// - Returns: The explanation; to be encoded as it is, for it has no secrets.
    public func explain() async -> SetupExplanation {
        let status = updater.status
        let trackers = registry.trackers.mapValues { tracker in
            Dictionary(tracker.explanations().map { ($0.field, $0.explanation) }) { first, _ in first }
        }
        return SetupExplanation(
            source: EndpointURL.withoutSecrets(status.scope.url), user: status.scope.user, state: status.active?.state,
            version: status.active?.version, time: status.active?.time, instanceID: status.instanceID,
            fetches: status.history.records, isFetching: status.isFetching, nextPoll: status.history.nextPoll,
            trackers: trackers)
    }

    /// What is in effect, in the form of a document: the bundles with all their settings, what was set in code included and
    /// secrets left out, and the meta.
    public var effectiveConfiguration: JSONObject {
        get async {
            let active = updater.status.active
            let bundles = registry.trackers.sorted { $0.key < $1.key }.map {
                JSONValue.object($0.value.effectiveBundle)
            }
            var document: JSONObject = [
                "$schema": "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
                "configurationVersion": active?.version.map(JSONValue.int) ?? .null,
                "configurationBundle": .array(bundles),
            ]
            if let meta = active?.meta, !meta.isEmpty { document["meta"] = .object(meta) }
            return document
        }
    }
}
