import DocumentTools
import TrackerCommandLine
import TrackerConfig
import TrackerFeatures

/// The features of a document and a default document: their rules in order, and their values.
struct FeatureReport {
    private let features: Features
    private let layers: FeatureLayers
    private let context: FeatureContext?
    private let isTraced: Bool
    private let names: [String]

    /// Explains features.
    /// - Parameters:
    ///   - document: The document.
    ///   - defaults: The default document.
    ///   - context: The context of the evaluation; nil for reads without one.
    ///   - feature: The only feature to explain, in detail; nil for all features.
    init(_ document: Document, _ defaults: DefaultDocument, context: FeatureContext?, feature: String?) {
        features = Features(
            FeatureOptions(), defaultFeatures: defaults.configuration.features,
            defaultExperiments: defaults.configuration.experiments, log: Log(nil, level: .off))
        _ = features.replaceDocument(by: FeatureStore.Remote(document))
        layers = features.store.layers
        (self.context, isTraced) = (context, feature != nil)
        names = layers.names.filter { name in feature.map { $0.isExactly(name) } ?? true }
    }

    /// Whether there are no features.
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
        let json = answer(of: name).json(isTraced: isTraced)
        (object["enabled"], object["variables"]) = (json["enabled"], json["variables"])
        object["metadata"] = .object(metadata(of: name))
        return .object(object)
    }

    /// The rules in the order of evaluation.
    private func rules(of feature: String) -> [FeatureRule] { layers.rules(of: feature).flatMap(\.rules) }

    private func metadata(of feature: String) -> JSONObject {
        JSONObject(layers.metadata(of: feature).sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    private func answer(of feature: String) -> FeatureAnswer {
        FeatureAnswer(feature, in: features.snapshot, for: context)
    }

    /// The printed lines.
    var lines: [String] { names.flatMap(lines) }

    private func lines(_ name: String) -> [String] {
        let now = Instant(milliseconds: SystemTime().wallTime)
        var lines = ["feature \(Self.quoted(name))"]
        for (index, rule) in rules(of: name).enumerated() {
            let effect = rule.effect(on: name, isSecret: layers.isSecret)
            let state = rule.targeting.schedule?.state(at: now)
            lines.append(
                "  rule \(index + 1) \(Self.quoted(rule.id)): \(rule.audience.printable)"
                    + "\(state.map { " (\($0))" } ?? "") → \(effect.printable)")
        }
        for reading in answer(of: name).readings {
            let what = reading.variable.map(Self.quoted) ?? "enabled"
            let value = reading.isSecret ? "a secret" : reading.value?.description.printable ?? "unset"
            let variants = reading.variants.filter { $0.value != reading.variant }.sorted { $0.key < $1.key }
            let others = variants.map { ", experiment \(Self.quoted($0.key)), variant \(Self.quoted($0.value))" }
            let why = "\(Self.reason(of: reading))\(reading.source.origin)\(others.joined())"
            lines.append("  \(what) = \(value)  (\(why))".printable)
            if isTraced { lines += "\(reading)".split(separator: "\n").dropFirst().map { "  \($0)".printable } }
        }
        let metadata = metadata(of: name)
        if !metadata.isEmpty { lines.append("  metadata \(JSONValue.object(metadata).description.printable)") }
        return lines
    }

    /// The reason for a value as a clause: "no rule that sets it matched".
    private static func reason(of reading: FeatureExplanation) -> String {
        let rule = reading.rule.map { "rule \(quoted($0))" }
        let rules = reading.steps.filter { $0.rule != nil }
        switch reading.reason {
        case .static: return "for all contexts"
        case .default where reading.source == .fallback: return "no source has a value"
        case .default where rules.isEmpty:
            return reading.variants.isEmpty ? "no experiment applies" : "the variant does not set it"
        case .default:
            return "no rule that sets it matched"
        case .targetingMatch: return rule ?? "set by the context"
        case .split: return [rule, "by the hash"].compactMap(\.self).joined(separator: ", ")
        case .cached: return "stored"
        case .disabled: return rule.map { "the gate of \($0) is closed" } ?? "disabled"
        default: return reading.error ?? reading.reason.rawValue
        }
    }

    private static func quoted(_ name: String) -> String { JSONValue.string(name).description.printable }
}

extension FeatureSource {
    /// The origin of a value, appended to its reason: "; version 6".
    fileprivate var origin: String {
        switch self {
        case .remote(let version): "; version \(version)"
        case .default: "; the default"
        case .fallback: ""
        default: "; \(self)"
        }
    }
}
