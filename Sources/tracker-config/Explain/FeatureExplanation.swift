import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// The features that a document and a default give: their rules in order, and what a read gets.
struct FeatureExplanation {
    private let features: Features
    private let layers: FeatureLayers
    private let context: FeatureContext?
    private let names: [String]

    /// Explains features.
    /// - Parameters:
    ///   - document: The document.
    ///   - defaults: The default.
    ///   - context: The context to evaluate for; nil for a read without one.
    ///   - feature: The only feature that is asked for; nil for all.
    init(_ document: Document, _ defaults: DefaultDocument, context: FeatureContext?, feature: String?) {
        features = Features(
            FeatureOptions(), defaultFeatures: defaults.configuration.features,
            defaultExperiments: defaults.configuration.experiments, log: Log(nil, level: .off))
        _ = features.adopt(FeatureStore.Remote(document), isFetched: false)
        layers = features.store.layers
        self.context = context
        names = layers.names.filter { name in feature.map { $0.isExactly(name) } ?? true }
    }

    /// Whether there is no feature.
    var isEmpty: Bool { names.isEmpty }

    var json: JSONValue { .array(names.map(json)) }

    private func json(_ name: String) -> JSONValue {
        let rules = rules(of: name).map { rule -> JSONValue in
            var object = rule.json(of: name, isSecret: layers.isSecret)
            object["for"] = .string(rule.audience)
            object["gives"] = .string(rule.effect(on: name, isSecret: layers.isSecret))
            return .object(object)
        }
        var object: JSONObject = ["name": .string(name), "rules": .array(rules)]
        let answer = answer(of: name).json
        (object["enabled"], object["variables"]) = (answer["enabled"], answer["variables"])
        object["metadata"] = .object(metadata(of: name))
        return .object(object)
    }

    /// The rules in the order in which they are tried.
    private func rules(of feature: String) -> [FeatureRule] { layers.definitions(of: feature).flatMap(\.rules) }

    private func metadata(of feature: String) -> JSONObject {
        JSONObject(layers.metadata(of: feature).sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    private func answer(of feature: String) -> FeatureAnswer {
        FeatureAnswer(feature, in: layers, by: features.reader, for: context)
    }

    /// What is printed.
    var lines: [String] { names.flatMap(lines) }

    private func lines(_ name: String) -> [String] {
        let rules = rules(of: name)
        var lines = ["feature \(Self.quoted(name))"]
        for (index, rule) in rules.enumerated() {
            let effect = rule.effect(on: name, isSecret: layers.isSecret)
            lines.append(
                "  rule \(index + 1) \(Self.quoted(rule.id)): \(rule.audience.printable) → \(effect.printable)")
        }
        for reading in answer(of: name).readings {
            let what = reading.variable.map(Self.quoted) ?? "enabled"
            let value = reading.isSecret ? "a secret" : reading.value?.description.printable ?? "unset"
            let rule = reading.rule.map { ", rule \(Self.quoted($0))" } ?? ""
            lines.append("  \(what) = \(value)  \(reading.reason.rawValue), \(reading.source)\(rule)")
        }
        let metadata = metadata(of: name)
        if !metadata.isEmpty { lines.append("  metadata \(JSONValue.object(metadata).description.printable)") }
        return lines
    }

    private static func quoted(_ name: String) -> String { JSONValue.string(name).description.printable }
}
