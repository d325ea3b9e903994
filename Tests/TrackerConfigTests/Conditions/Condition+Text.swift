import TrackerFeatures

extension Condition {
    /// Reads a condition that is known to be JSON.
    convenience init(text: String, segments: String = "{}", units: Set<String> = []) throws {
        self.init(try JSONObject(text: text), segments: Segments(try JSONObject(text: segments)), units: units)
    }

    /// Evaluates the condition over an object's members.
    func matches(_ attributes: JSONObject) -> Bool {
        matches { attributes[$0] }
    }

    /// Evaluates a condition over attributes, both as JSON text.
    static func matches(_ condition: String, _ attributes: String, segments: String = "{}") throws -> Bool {
        try Condition(text: condition, segments: segments).matches(JSONObject(text: attributes))
    }
}

extension JSONObject {
    /// Reads an object that is known to be JSON.
    init(text: String) throws {
        self = try JSONReader.read(Array(text.utf8)).value.object ?? [:]
    }
}
