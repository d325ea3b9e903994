import FoundationEssentials
import TrackerConfig

extension EventTap.ObservedEvent {
    /// The event for people; nil if it cannot be read, which an event that the encoder wrote always can.
    var json: JSONValue? {
        guard let parameters = try? JSONReader.read(payload).value.object else { return nil }
        func text(_ name: String) -> String? { parameters[name]?.string }
        let event = Self.envelope(text("ue_pr"), base64: text("ue_px"))?.object
        let entities = Self.envelope(text("co"), base64: text("cx"))?.array ?? []
        let schema = event?["schema"]?.string
        return [
            "time": JSONValue(text("dtm").flatMap { Int($0) }), "namespace": .string(namespace),
            "id": .string(text("eid") ?? ""), "type": .string(text("e") ?? ""),
            "name": .string(Self.name(of: text("e"), schema: schema, text)),
            "schema": schema.map(JSONValue.string) ?? .null,
            "data": event?["data"] ?? .object(Self.own(parameters)), "entities": .array(entities),
        ]
    }

    /// What an event is called on a line.
    private static func name(of type: String?, schema: String?, _ text: (String) -> String?) -> String {
        func names(_ names: String...) -> String { names.compactMap(text).joined(separator: " / ") }
        switch type {
        case "se": return names("se_ca", "se_ac", "se_la")
        case "pv", "pp": return names("url")
        case "tr": return names("tr_id")
        case "ti": return names("ti_id", "ti_sk")
        default:
            return schema.map {
                $0.replacing("iglu:", with: "", maxReplacements: 1).replacing("/jsonschema/", with: "/")
            } ?? type ?? ""
        }
    }

    /// The parameters of an event without a schema, without those that all events have.
    private static func own(_ parameters: JSONObject) -> JSONObject {
        JSONObject(
            unique: parameters.members.filter { $0.name.contains("_") || ["url", "page", "refr"].contains($0.name) })
    }

    /// The data of the envelope around an event or entities; nil if there is none.
    private static func envelope(_ plain: String?, base64: String?) -> JSONValue? {
        let bytes =
            plain.map { Array($0.utf8) } ?? base64.flatMap { Data(base64Encoded: $0.paddedBase64).map(Array.init) }
        // The encoder writes only JSON here; the event is listed even without it.
        return bytes.flatMap { try? JSONReader.read($0).value.object?["data"] }
    }
}

extension String {
    /// URL-safe base64 without padding (RFC 4648, 5) as the standard's other alphabet.
    fileprivate var paddedBase64: String {
        replacing("-", with: "+").replacing("_", with: "/") + String(repeating: "=", count: (4 - utf8.count % 4) % 4)
    }
}
