package import TrackerConfig

extension SettingExplanation {
    /// The value in effect.
    package var json: JSONValue { effective.json }

    /// The value in effect and the values that it overrides.
    package var wholeJSON: JSONValue {
        guard case .object(var object) = effective.json else { return effective.json }
        object["overridden"] = .array(overridden.map(\.json))
        return .object(object)
    }
}

extension SettingExplanation.Candidate {
    package var json: JSONValue {
        var object: JSONObject = ["value": value ?? .null, "source": .string(source.rawValue)]
        object["version"] = version.map(JSONValue.int)
        return .object(object)
    }

    /// The layer for people.
    package var layerName: String {
        let name = source == .builtIn ? "built in" : source.rawValue
        return name + (version.map { ", version \($0)" } ?? "")
    }
}
