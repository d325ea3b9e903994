import TrackerCommandLine
import TrackerConfig
import TrackerCore

extension StandardStream {
    /// Writes a JSON object with its type on one line.
    func write(_ type: String, _ line: JSONObject) {
        write(JSONObject([("type", .string(type))] + line.members.map { ($0.name, $0.value) }))
    }
}

extension ConfigurationUpdate {
    /// The update as the driver prints it, without the type.
    var line: JSONObject {
        [
            "state": .string(state.rawValue), "version": version.map(JSONValue.int) ?? .null,
            "namespaces": .array(namespaces.map(JSONValue.string)),
            "warnings": .array(warnings.map { .string($0.description) }),
        ]
    }
}

extension ConfigurationOutcome {
    /// The outcome as the driver prints it, without the type.
    var line: JSONObject {
        JSONObject(present: [
            ("outcome", .string(kind.rawValue)), ("version", version.map(JSONValue.int)),
            ("reason", reason.map(JSONValue.string)),
        ])
    }
}

extension FeatureChange<FeatureValues> {
    /// The change as the driver prints it, without the type.
    var line: JSONObject {
        ["feature": .string(feature), "old": old?.json ?? .null, "new": new?.json ?? .null]
    }
}

extension FeatureValues {
    /// The values in effect, as the driver prints them.
    fileprivate var json: JSONValue {
        let variables = variables.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return ["enabled": isEnabled.map(JSONValue.bool) ?? .null, "variables": .object(JSONObject(variables))]
    }
}

extension FeatureSource {
    /// The kind of the source in one word, without a provider's name or a version.
    var word: String { String("\(self)".prefix { $0.isLetter }) }
}
