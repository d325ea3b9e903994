import TrackerCommandLine
import TrackerConfig
import TrackerCore

/// What the driver prints, a JSON object a line.
extension StandardStream {
    func write(_ update: ConfigurationUpdate) {
        write(JSONObject([("type", "update")] + update.line.members.map { ($0.name, $0.value) }))
    }

    func write(_ outcome: ConfigurationOutcome) {
        write(JSONObject([("type", "outcome")] + outcome.line.members.map { ($0.name, $0.value) }))
    }

    func write(_ change: FeatureChange<FeatureValues>) {
        write([
            "type": "change", "feature": .string(change.feature), "old": change.old?.json ?? .null,
            "new": change.new?.json ?? .null,
        ])
    }
}

extension ConfigurationUpdate {
    /// The update as the driver prints it, without its type.
    var line: JSONObject {
        [
            "state": .string(state.rawValue), "version": version.map(JSONValue.int) ?? .null,
            "namespaces": .array(namespaces.map(JSONValue.string)),
            "warnings": .array(warnings.map { .string($0.description) }),
        ]
    }
}

extension ConfigurationOutcome {
    /// The outcome as the driver prints it, without its type.
    var line: JSONObject {
        var line: JSONObject = ["outcome": .string(kind.rawValue)]
        if let version { line["version"] = .int(version) }
        if let reason { line["reason"] = .string(reason) }
        return line
    }
}

extension FeatureValues {
    /// What is in effect, as the driver prints it.
    fileprivate var json: JSONValue {
        let variables = variables.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return ["enabled": isEnabled.map(JSONValue.bool) ?? .null, "variables": .object(JSONObject(variables))]
    }
}

extension FeatureSource {
    /// The source in a word, as the driver prints it.
    var word: String {
        switch self {
        case .request: "request"
        case .override: "override"
        case .provider: "provider"
        case .experiment: "experiment"
        case .remote: "remote"
        case .default: "default"
        case .fallback: "fallback"
        }
    }
}
