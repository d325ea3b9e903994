import TrackerConfig
import TrackerCore

extension EventTap.ObservedEvent {
    /// The event for people; nil if its payload cannot be decoded, which never happens for the encoder's own.
    var json: JSONValue? {
        guard let payload = EventPayload(payload) else { return nil }
        let event = payload.selfDescribing
        let schema = event?["schema"]?.string
        return [
            "time": JSONValue(payload["dtm"].flatMap { Int($0) }), "namespace": .string(namespace),
            "id": .string(payload["eid"] ?? ""), "type": .string(payload["e"] ?? ""),
            "name": .string(Self.name(of: payload, schema: schema)), "schema": schema.map(JSONValue.string) ?? .null,
            "data": event?["data"] ?? .object(payload.ownParameters), "entities": .array(payload.entities),
        ]
    }

    /// The name of an event on one line.
    private static func name(of payload: EventPayload, schema: String?) -> String {
        func names(_ names: String...) -> String { names.compactMap { payload[$0] }.joined(separator: " / ") }
        switch payload["e"] {
        case "se": return names("se_ca", "se_ac", "se_la")
        case "pv", "pp": return names("url")
        case "tr": return names("tr_id")
        case "ti": return names("ti_id", "ti_sk")
        default:
            return schema.map {
                $0.replacing("iglu:", with: "", maxReplacements: 1).replacing("/jsonschema/", with: "/")
            } ?? payload["e"] ?? ""
        }
    }
}
