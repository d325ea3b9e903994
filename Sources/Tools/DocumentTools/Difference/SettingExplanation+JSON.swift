import TrackerConfig
package import TrackerCore

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

    /// Whether the value is the executable's name, which in a tool is not the service's.
    package var isExecutableName: Bool { field == "tracker.appId" && source == .builtIn }

    /// The layer as text for people.
    package var layerName: String {
        let name = source == .builtIn ? "built in" : source.rawValue
        return name + (version.map { ", version \($0)" } ?? "")
    }
}
