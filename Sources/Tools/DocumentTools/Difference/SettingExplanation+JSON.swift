package import TrackerConfig

extension SettingExplanation {
    /// The value in effect.
    package var json: JSONValue { .object(object) }

    /// The value in effect and the values that it overrides.
    package var wholeJSON: JSONValue {
        var object = object
        object["overridden"] = .array(overridden.map(\.json))
        return .object(object)
    }

    private var object: JSONObject {
        var object: JSONObject = ["value": value ?? .null, "source": .string(source.rawValue)]
        object["version"] = version.map(JSONValue.int)
        return object
    }

    /// Whether the value is the name of the executable: that of a tool, and not that of the service.
    package var isExecutableName: Bool { field == "tracker.appId" && source == .builtIn }

    /// The layer for people.
    package var layerName: String {
        let name = source == .builtIn ? "built in" : source.rawValue
        return name + (version.map { ", version \($0)" } ?? "")
    }
}
