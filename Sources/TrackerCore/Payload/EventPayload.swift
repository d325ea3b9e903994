import FoundationEssentials

/// The parameters of an event in the Snowplow tracker protocol, and the JSON that they encode.
package struct EventPayload: Sendable, Hashable {
    /// The parameters in their order; all values are strings.
    package let parameters: JSONObject

    package init(_ parameters: JSONObject) {
        self.parameters = parameters
    }

    /// The value of a parameter; nil if the event does not have it.
    package subscript(_ name: String) -> String? { parameters[name]?.string }

    /// The self-describing event with its schema and data; nil for events of other types.
    package var selfDescribing: JSONValue? { envelopedEvent?["data"] }

    /// The entities, each with its schema and data.
    package var entities: [JSONValue] { envelopedEntities?["data"]?.array ?? [] }

    /// The self-describing event within its envelope.
    package var envelopedEvent: JSONValue? { Self.json(self["ue_pr"], base64: self["ue_px"]) }

    /// The entities within their envelope.
    package var envelopedEntities: JSONValue? { Self.json(self["co"], base64: self["cx"]) }

    /// The parameters of an event that is not self-describing, without those that all events have.
    package var ownParameters: JSONObject {
        JSONObject(
            unique: parameters.members.filter { $0.name.contains("_") || ["url", "page", "refr"].contains($0.name) })
    }

    private static func json(_ plain: String?, base64: String?) -> JSONValue? {
        let bytes =
            plain.map { Array($0.utf8) } ?? base64.flatMap { Data(base64Encoded: $0.paddedBase64).map(Array.init) }
        // The encoder writes only JSON here; an event from another source is shown without it.
        return bytes.flatMap { try? JSONReader.read(written: $0).value }
    }
}

extension String {
    /// URL-safe base64 without padding (RFC 4648, section 5), converted to the standard alphabet with padding.
    fileprivate var paddedBase64: String {
        replacing("-", with: "+").replacing("_", with: "/") + String(repeating: "=", count: (4 - utf8.count % 4) % 4)
    }
}
