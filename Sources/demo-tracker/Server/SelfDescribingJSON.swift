import Foundation

/// A JSON value with the schema that describes it.
struct SelfDescribingJSON {
    /// The Iglu URI of the schema.
    let schema: String

    /// The value, of the types of `JSONSerialization`.
    let data: Any

    /// Takes an object with `schema` and `data`; nil for every other value.
    init?(_ value: Any) {
        guard let object = value as? [String: Any], let schema = object["schema"] as? String, let data = object["data"]
        else { return nil }
        self.schema = schema
        self.data = data
    }

    /// Reads JSON text; nil if it is not an object with `schema` and `data`.
    init?(json: Data) {
        // A body that is none is answered with 400; an entity that is none is left out.
        guard let value = try? JSONSerialization.jsonObject(with: json) else { return nil }
        self.init(value)
    }

    /// The value as JSON on one line, with sorted keys; empty if it has no form in JSON.
    var text: String {
        let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
        // What was read from JSON always has a form in it.
        let json = try? JSONSerialization.data(withJSONObject: data, options: options)
        return json.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Vendor, name and version of the schema: `com.acme/order/1-0-0`.
    var shortSchema: String {
        schema.replacing("iglu:", with: "", maxReplacements: 1).replacing("/jsonschema/", with: "/")
    }
}
