extension Console {
    /// Which version runs, since when and from where, what differs from the default and why, and how the last fetches ended.
    var overview: JSONObject {
        get async {
            let explanation = await setup.explain()
            let layers = setup.features.store.layers
            let interval = setup.cycle.parts.remote.pollInterval
            let differences = DefaultDifferences(setup, explanation, layers)
            return [
                "title": options.title.map(JSONValue.string) ?? .null,
                "allowsChanges": .bool(options.allowsChanges),
                "source": .string(explanation.source), "user": explanation.user.map(JSONValue.string) ?? .null,
                "instanceID": explanation.instanceID.map(JSONValue.string) ?? .null,
                "state": explanation.state.map { .string($0.rawValue) } ?? .null,
                "version": JSONValue(explanation.version), "time": JSONValue(explanation.time),
                "now": .int(Int(setup.pipeline.now)),
                "pollIntervalSeconds": interval.map { JSONValue(shortest: $0 / .seconds(1)) } ?? .null,
                "nextPoll": JSONValue(explanation.nextPoll), "isFetching": .bool(explanation.isFetching),
                "outcomes": .array(explanation.fetches.map(\.json)),
                "counts": counts(layers, namespaces: explanation.trackers.count),
                "meta": .object(await setup.meta),
                "differences": .array(differences.shown.map(JSONValue.object)),
                "moreDifferences": .int(differences.more),
            ]
        }
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
        ["time": .int(Int(time)), "kind": .string(outcome), "text": .string(text), "isTrouble": .bool(isTrouble)]
    }
}

extension JSONValue {
    /// A number, or null.
    init(_ number: (some BinaryInteger)?) {
        self = number.map { .int(Int($0)) } ?? .null
    }
}
