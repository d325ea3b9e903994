import DocumentTools
import TrackerConfig

extension WebConsole {
    /// Which version runs, since when and from where, what differs from the default and why, and how the last fetches ended.
    var overview: JSONObject {
        let status = setup.updater.status
        let layers = setup.features.store.layers
        let trackers = setup.registry.trackers
        let interval = setup.updater.parts.remote.pollInterval
        let differences = DefaultDifferences(setup, trackers, layers)
        return [
            "title": options.title.map(JSONValue.string) ?? .null,
            "allowsChanges": .bool(options.allowsChanges),
            "source": .string(EndpointURL.withoutSecrets(status.scope.url)),
            "user": status.scope.user.map(JSONValue.string) ?? .null,
            "instanceID": status.instanceID.map(JSONValue.string) ?? .null,
            "state": status.active.map { .string($0.state.rawValue) } ?? .null,
            "version": JSONValue(status.active?.version), "time": JSONValue(status.active?.time),
            "now": .int(Int(setup.pipeline.now)),
            "pollIntervalSeconds": interval.map { JSONValue(shortest: $0 / .seconds(1)) } ?? .null,
            "nextPoll": JSONValue(status.history.nextPoll), "isFetching": .bool(status.isFetching),
            "outcomes": .array(status.history.records.map(\.json)),
            "counts": counts(layers, namespaces: trackers.count),
            "meta": .object(status.active?.meta ?? JSONObject()),
            "differences": .array(differences.shown.map(JSONValue.object)),
            "moreDifferences": .int(differences.more),
        ]
    }

    private func counts(_ layers: FeatureLayers, namespaces: Int) -> JSONValue {
        let features = layers.names
        return [
            "namespaces": .int(namespaces), "features": .int(features.count),
            "variables": .int(features.reduce(0) { $0 + layers.variables(of: $1).count }),
            "experiments": .int(layers.experiments.all.count),
            "overrides": .int(layers.overrides.enabled.count + layers.overrides.variables.count),
            "forced": .int(layers.overrides.variants.count),
        ]
    }
}

extension FetchRecord {
    var json: JSONValue {
        ["time": .int(Int(time)), "kind": .string(outcome), "text": .string(text), "isTrouble": .bool(needsAttention)]
    }
}

extension JSONValue {
    /// A number, or null.
    init(_ number: (some BinaryInteger)?) {
        self = number.map { .int(Int($0)) } ?? .null
    }
}
