import DocumentTools
import TrackerConfig

/// What is in effect and comes neither from the document in use nor from the default, for the page.
struct DocumentExceptions {
    /// Overrides, then trackers that are kept, then settings of code, providers and older versions.
    let all: [JSONObject]

    /// Collects the exceptions.
    /// - Parameters:
    ///   - status: The status.
    ///   - differences: All that differs from the default.
    ///   - trackers: The trackers.
    ///   - layers: The features.
    init(
        _ status: SetupStatus, _ differences: DefaultDifferences, _ trackers: [String: Tracker],
        _ layers: FeatureLayers
    ) {
        let kept = status.trackers.filter(\.isKept)
        let namespaces = Set(kept.map(\.namespace))
        // An older version's values are those of a tracker that is kept, which has a row of its own.
        let others = differences.all.filter { difference in
            guard difference.isException else { return false }
            let isOfKept = difference.namespace.map { namespaces.contains($0) } ?? false
            return !isOfKept || difference.isOfCode
        }
        let overrides = status.overrides.map { $0.row(in: layers) }
        all = overrides + kept.map { Self.row(of: $0, trackers[$0.namespace]) } + others.map(\.exceptionRow)
    }

    private static func row(of kept: TrackerStatus, _ tracker: Tracker?) -> JSONObject {
        let version = tracker?.network.explain(\.endpoint).version
        let origin = version.map { "version \($0): no longer in the document" } ?? "no longer in the document"
        return ["kind": "kept", "namespace": .string(kept.namespace), "origin": .string(origin)]
    }
}

extension FeatureOverride {
    fileprivate func row(in layers: FeatureLayers) -> JSONObject {
        var row: JSONObject = ["kind": "override", "origin": .string(FeatureSource.override.description)]
        row["feature"] = feature.map(JSONValue.string)
        row["name"] = variable.map(JSONValue.string)
        row["experiment"] = experiment.map(JSONValue.string)
        row["isSecret"] = .bool(value == nil)
        row["value"] = value
        if value != nil { row["instead"] = valueBelow(in: layers) }
        row["time"] = JSONValue(time?.milliseconds)
        row["by"] = JSONValue(text: by)
        row["note"] = JSONValue(text: note)
        row["expiry"] = JSONValue(expiry?.milliseconds)
        return row
    }

    /// What is in effect without the override and without a context; nil if nothing else gives a value, and for a
    /// secret variable.
    private func valueBelow(in layers: FeatureLayers) -> JSONValue? {
        guard let feature else { return nil }
        guard let variable else {
            return layers.candidates(.enabled(feature)).first { $0.source != .override }?.value
        }
        let key = VariableKey(feature, variable)
        guard !layers.isSecret(key) else { return nil }
        return layers.candidates(.variable(key)).first { $0.source != .override }?.value
    }
}
