/// Tells a warehouse which version runs where, by events through one of the service's own trackers.
struct FleetEvents: Sendable {
    private static let vendor = "iglu:io.tracker-config"

    let registry: TrackerRegistry
    /// The namespace of the tracker; nil tells nothing.
    let namespace: String?
    let instanceID: String?
    // A document that stays wrong is told of once, not at every poll.
    private let lastRejection = Locked<ConfigurationError?>(nil)

    init(registry: TrackerRegistry, namespace: String?, instanceID: String?) {
        self.registry = registry
        self.namespace = namespace
        self.instanceID = instanceID
    }

    /// A configuration was applied.
    func applied(_ configuration: ActiveConfiguration, after previous: Int?) {
        track(
            "configuration_applied",
            [
                ("version", configuration.version.map(JSONValue.int)), ("previousVersion", previous.map(JSONValue.int)),
                ("state", .string(configuration.state.rawValue)),
            ])
    }

    /// A document was rejected.
    func rejected(_ error: ConfigurationError) {
        let isNews = lastRejection.withLock { last in
            defer { last = error }
            return last != error
        }
        guard isNews else { return }
        track("configuration_rejected", [("version", error.version.map(JSONValue.int)), ("reason", text("\(error)"))])
    }

    /// An instance went back.
    func reverted(from version: Int, to configuration: ActiveConfiguration, reason: String) {
        track(
            "configuration_reverted",
            [
                ("version", .int(version)), ("activeVersion", configuration.version.map(JSONValue.int)),
                ("reason", text(reason)),
            ])
    }

    private func text(_ text: String) -> JSONValue {
        .string(String(String.UnicodeScalarView(text.unicodeScalars.prefix(2048))))
    }

    private func track(_ name: String, _ members: [(String, JSONValue?)]) {
        guard let namespace else { return }
        let data = JSONObject(
            (members + [("instanceId", instanceID.map(text))]).compactMap { name, value in value.map { (name, $0) } })
        // Without the tracker, as after the document has removed it, there is nobody to tell.
        registry.tracker(namespace)?.track(
            SelfDescribing(schema: "\(Self.vendor)/\(name)/jsonschema/1-0-0", data: data))
    }
}
