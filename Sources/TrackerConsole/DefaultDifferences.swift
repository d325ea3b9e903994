import DocumentTools
import TrackerConfig

/// The settings in effect that differ from those that the service ships with, with their sources.
struct DefaultDifferences {
    private static let maxShown = 500

    /// Trackers, then features, then forced variants.
    let shown: [JSONObject]

    /// How many there are beside those.
    let more: Int

    /// Finds the differences.
    /// - Parameters:
    ///   - setup: The setup.
    ///   - trackers: Its trackers.
    ///   - layers: Its features.
    init(_ setup: Setup, _ trackers: [String: Tracker], _ layers: FeatureLayers) {
        let defaults = setup.registry.defaultLayers
        var all: [JSONObject] = []
        for (namespace, tracker) in trackers.sorted(by: { $0.key < $1.key }) {
            if let layers = defaults[exactly: namespace] {
                all += Self.settings(of: tracker, besides: layers)
            } else {
                all.append(Self.added(tracker))
            }
        }
        // One without an endpoint has no tracker by the default alone either.
        let expected = setup.registry.namespacesByDefault
        for namespace in expected.sorted() where trackers[namespace] == nil {
            all.append(["kind": "tracker", "namespace": .string(namespace), "isRemoved": true])
        }
        for feature in layers.names { all += Self.feature(feature, setup.features, layers) }
        for (experiment, variant) in layers.overrides.variants.sorted(by: { $0.key < $1.key }) {
            all.append([
                "kind": "variant", "name": .string(experiment.text), "value": .string(variant),
                "origin": .string(FeatureSource.override.description),
            ])
        }
        shown = Array(all.prefix(Self.maxShown))
        more = all.count - shown.count
    }

    private static func added(_ tracker: Tracker) -> JSONObject {
        let endpoint = tracker.network.explain(\.endpoint)
        return [
            "kind": "tracker", "namespace": .string(tracker.namespace), "isAdded": true,
            "value": endpoint.value ?? .null, "origin": .string(endpoint.effective.layerName),
        ]
    }

    private static func settings(of tracker: Tracker, besides layers: TrackerLayers) -> [JSONObject] {
        // Of what is compared nothing is left out; of what is shown secrets are, and two may read alike.
        let others = tracker.settingsThatDiffer(from: layers)
        return tracker.explanations().compactMap { field, explanation in
            guard [.runtime, .remote].contains(explanation.source), others.contains(field) else { return nil }
            let below = explanation.overridden.first { [.default, .builtIn].contains($0.source) }
            var object: JSONObject = [
                "kind": "tracker", "namespace": .string(tracker.namespace), "name": .string(field),
                "value": explanation.value ?? .null, "origin": .string(explanation.effective.layerName),
            ]
            object["instead"] = below?.value
            return object
        }
    }

    private static func feature(_ feature: String, _ features: Features, _ layers: FeatureLayers) -> [JSONObject] {
        var differences: [JSONObject] = []
        let candidates = layers.enabledCandidates(of: feature)
        if let winner = candidates.first, winner.source != .default {
            let below = candidates.last { $0.source == .default }
            if below?.value != winner.value {
                var object: JSONObject = [
                    "kind": "feature", "feature": .string(feature), "value": .bool(winner.value),
                    "origin": .string(winner.source.description),
                ]
                object["instead"] = below.map { .bool($0.value) }
                differences.append(object)
            }
        }
        for variable in layers.variables(of: feature) {
            let key = VariableKey(feature, variable)
            guard let explanation = features.reader.explain(.variable(key), in: layers, for: nil),
                explanation.source != .default
            else { continue }
            let below = explanation.overridden.last { $0.source == .default }
            let isSecret = layers.isSecret(key)
            if !isSecret, let below, below.value == explanation.value { continue }
            var object: JSONObject = [
                "kind": "variable", "feature": .string(feature), "name": .string(variable),
                "origin": .string(explanation.source.description), "isSecret": .bool(isSecret),
            ]
            if !isSecret { (object["value"], object["instead"]) = (explanation.value, below?.value) }
            differences.append(object)
        }
        return differences
    }
}
