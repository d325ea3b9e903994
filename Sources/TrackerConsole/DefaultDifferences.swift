import DocumentTools
import TrackerConfig

/// The settings in effect that differ from those that the service ships with, with their sources.
struct DefaultDifferences {
    /// One of them.
    struct Difference {
        /// The difference for the page.
        let json: JSONObject
        /// Whether the document in use gives it.
        let isFromDocument: Bool

        /// The namespace; nil for what is about no tracker.
        var namespace: String? { json["namespace"]?.string }

        /// Whether the service's code gives it.
        var isOfCode: Bool { json["origin"]?.string == ConfigurationLayer.runtime.rawValue }

        /// Whether it comes from code, a provider or an older version. Overrides are listed apart, with their authors.
        var isException: Bool {
            guard let origin = json["origin"]?.string else { return false }
            return !isFromDocument && origin != FeatureSource.override.description
        }

        /// The difference as a row of values that are not from the document.
        var exceptionRow: JSONObject {
            var row = json
            row["kind"] = "setting"
            return row
        }

        init(_ json: JSONObject, isFromDocument: Bool) {
            var json = json
            json["isFromDocument"] = .bool(isFromDocument)
            (self.json, self.isFromDocument) = (json, isFromDocument)
        }

        /// Whether the name, a value or the source has a text, which is in lower case. What is not shown is not searched.
        func matches(_ needle: String) -> Bool {
            let path = ["namespace", "feature", "name"].compactMap { json[$0]?.string }.joined(separator: ".")
            let texts = ["value", "instead", "origin"].compactMap { json[$0] }.map { $0.string ?? $0.description }
            return ([path] + texts).contains { $0.lowercased().contains(needle) }
        }
    }

    /// Trackers, then features, then forced variants.
    let all: [Difference]

    /// Finds the differences.
    /// - Parameters:
    ///   - setup: The setup.
    ///   - trackers: Its trackers.
    ///   - layers: Its features.
    ///   - version: The version of the document in use.
    init(_ setup: Setup, _ trackers: [String: Tracker], _ layers: FeatureLayers, version: Int?) {
        let defaults = setup.registry.defaultLayers
        let finder = Finder(version: version, layers: layers, features: setup.features)
        var all: [Difference] = []
        for (namespace, tracker) in trackers.sorted(by: { $0.key < $1.key }) {
            if let layers = defaults[exactly: namespace] {
                all += finder.settings(of: tracker, besides: layers)
            } else {
                all.append(finder.added(tracker))
                all += finder.ownSettings(of: tracker)
            }
        }
        // One without an endpoint has no tracker by the default alone either.
        let expected = setup.registry.namespacesByDefault
        for namespace in expected.sorted() where trackers[namespace] == nil {
            all.append(
                Difference(
                    ["kind": "tracker", "namespace": .string(namespace), "isRemoved": true], isFromDocument: true))
        }
        for feature in layers.names { all += finder.feature(feature) }
        for override in layers.overrides.inOrder {
            guard let experiment = override.experiment, let variant = override.value else { continue }
            all.append(
                Difference(
                    [
                        "kind": "variant", "name": .string(experiment), "value": variant,
                        "origin": .string(FeatureSource.override.description),
                    ], isFromDocument: false))
        }
        self.all = all
    }
}

/// Finds the differences of trackers and features.
private struct Finder {
    typealias Difference = DefaultDifferences.Difference

    /// The version of the document in use.
    let version: Int?
    let layers: FeatureLayers
    let features: Features

    private func isFromDocument(_ explanation: SettingExplanation) -> Bool {
        explanation.source == .remote && explanation.version == version
    }

    private func isFromDocument(_ source: FeatureSource) -> Bool {
        version.map { source == .remote(version: $0) } ?? false
    }

    /// A tracker that the default has not.
    func added(_ tracker: Tracker) -> Difference {
        let endpoint = tracker.network.explain(\.endpoint)
        return Difference(
            [
                "kind": "tracker", "namespace": .string(tracker.namespace), "isAdded": true,
                "value": endpoint.value ?? .null, "origin": .string(endpoint.layerName),
            ], isFromDocument: isFromDocument(endpoint))
    }

    /// The settings of such a tracker that the document does not give.
    func ownSettings(of tracker: Tracker) -> [Difference] {
        tracker.explanations().compactMap { explanation in
            guard [.runtime, .remote].contains(explanation.source), !isFromDocument(explanation) else {
                return nil
            }
            return setting(explanation, of: tracker, below: explanation.overridden.first)
        }
    }

    /// The settings of a tracker that differ from its default.
    func settings(of tracker: Tracker, besides layers: TrackerLayers) -> [Difference] {
        // The comparison leaves out nothing; the texts leave out secrets, so that two may read alike.
        let others = tracker.settingsThatDiffer(from: layers)
        return tracker.explanations().compactMap { explanation in
            guard [.runtime, .remote].contains(explanation.source), others.contains(explanation.field) else {
                return nil
            }
            let below = explanation.overridden.first { [.default, .builtIn].contains($0.source) }
            return setting(explanation, of: tracker, below: below)
        }
    }

    private func setting(
        _ explanation: SettingExplanation, of tracker: Tracker, below: SettingExplanation?
    ) -> Difference {
        var object: JSONObject = [
            "kind": "tracker", "namespace": .string(tracker.namespace), "name": .string(explanation.field),
            "value": explanation.value ?? .null, "origin": .string(explanation.layerName),
        ]
        object["instead"] = below?.value
        return Difference(object, isFromDocument: isFromDocument(explanation))
    }

    /// A feature and its variables.
    func feature(_ feature: String) -> [Difference] {
        var differences: [Difference] = []
        let candidates = layers.candidates(.enabled(feature))
        if let effective = candidates.first, effective.source != .default {
            let below = candidates.last { $0.source == .default }
            if below?.value != effective.value {
                var object: JSONObject = [
                    "kind": "feature", "feature": .string(feature), "value": effective.value,
                    "origin": .string(effective.source.description),
                ]
                object["instead"] = below?.value
                differences.append(Difference(object, isFromDocument: isFromDocument(effective.source)))
            }
        }
        for variable in layers.variables(of: feature) {
            let key = VariableKey(feature, variable)
            let candidates = layers.candidates(.variable(key))
            guard let effective = candidates.first, effective.source != .default else { continue }
            let below = candidates.last { $0.source == .default }
            let isSecret = layers.isSecret(key)
            if !isSecret, let below, below.value == effective.value { continue }
            var object: JSONObject = [
                "kind": "variable", "feature": .string(feature), "name": .string(variable),
                "origin": .string(effective.source.description), "isSecret": .bool(isSecret),
            ]
            if !isSecret { (object["value"], object["instead"]) = (effective.value, below?.value) }
            differences.append(Difference(object, isFromDocument: isFromDocument(effective.source)))
        }
        return differences
    }
}
