/// Records which version runs where, by events through one of the service's own trackers.
struct FleetEvents: Sendable {
    private static let vendor = "iglu:io.tracker-config"

    let registry: TrackerRegistry
    /// The namespace of the tracker; nil records nothing.
    let namespace: String?
    let instanceID: String?
    // A document that stays wrong is recorded once, not at every poll.
    private let lastRejection = Locked<ConfigurationError?>(nil)

    init(registry: TrackerRegistry, namespace: String?, instanceID: String?) {
        self.registry = registry
        self.namespace = namespace
        self.instanceID = instanceID
    }

    /// Records an event.
    func record(_ event: FleetEvent) {
        switch event {
        case .applied(let configuration, let previous):
            track(
                "configuration_applied",
                [
                    ("version", configuration.version.map(JSONValue.int)),
                    ("previousVersion", previous.map(JSONValue.int)),
                    ("state", .string(configuration.state.rawValue)),
                ])
        case .rejected(let error):
            guard lastRejection.exchange(error) != error else { return }
            track(
                "configuration_rejected",
                [("version", error.version.map(JSONValue.int)), ("reason", text("\(error)"))])
        case .reverted(let version, let configuration, let reason):
            track(
                "configuration_reverted",
                [
                    ("version", .int(version)), ("activeVersion", configuration.version.map(JSONValue.int)),
                    ("reason", text(reason)),
                ])
        }
    }

    private func text(_ text: String) -> JSONValue {
        .string(String(String.UnicodeScalarView(text.unicodeScalars.prefix(2048))))
    }

    private func track(_ name: String, _ members: [(String, JSONValue?)]) {
        guard let namespace else { return }
        let data = JSONObject(
            (members + [("instanceId", instanceID.map(text))]).compactMap { name, value in value.map { (name, $0) } })
        let event = SelfDescribing(schema: "\(Self.vendor)/\(name)/jsonschema/1-0-0", data: data)
        // It is about the process, whichever request asked for the refresh. The document may have removed the tracker.
        _ = withTrackingContext(nil) { registry.tracker(namespace)?.track(event) }
    }
}
