package import TrackerConfig

extension Explanation {
    /// What is in effect.
    package var json: JSONValue { winner.json }

    /// What is in effect and what it won over.
    package var wholeJSON: JSONValue {
        guard case .object(var object) = winner.json else { return winner.json }
        object["overridden"] = .array(overridden.map(\.json))
        return .object(object)
    }
}

extension Explanation.Candidate {
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
