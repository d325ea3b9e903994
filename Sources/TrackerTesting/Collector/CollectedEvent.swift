public import FoundationEssentials
public import TrackerCore

/// An event that a ``RecordingCollector`` received, decoded.
public struct CollectedEvent: Sendable, Hashable {
    /// The event's id. If a response was lost, the same event is recorded twice, with the same id.
    public let id: EventID

    /// The namespace of the event's tracker, `tna`; empty if the event has none.
    public let namespace: String

    /// The event's name: of a self-describing event the name in its schema, such as `add_to_cart` in
    /// `iglu:com.acme/add_to_cart/jsonschema/1-0-0`; of a structured event its action; of other events `page_view`,
    /// `page_ping`, `transaction` or `transaction_item`.
    public let name: String

    /// The type of the Snowplow tracker protocol, `e`; nil for a self-describing event.
    public let type: EventType?

    /// The Iglu URI of a self-describing event; nil for an event of another type.
    public let schema: String?

    /// The data of a self-describing event. For other types, the event's own parameters, such as `se_ca` and `url`, all
    /// of which are strings.
    public let properties: JSONObject

    /// The entities in their order.
    public let entities: [Entity]

    /// The id of the user, `uid`; nil if the event has none.
    public let userID: String?

    /// When the event was tracked, `dtm`; nil if the event has no such time.
    public let time: Date?

    /// Whether the event was sent with server anonymisation, in a request with the header `SP-Anonymous: *`.
    public let isAnonymous: Bool

    /// All parameters of the event as they were sent, such as `e`, `eid` and `ue_px`.
    public let parameters: [String: String]

    /// Decodes an event; nil if it has no id, because a collector would reject it.
    init?(_ payload: EventPayload, isAnonymous: Bool) {
        guard let id = payload["eid"].flatMap(UUID.init(uuidString:)) else { return nil }
        let event = payload.selfDescribing
        self.id = EventID(id)
        namespace = payload["tna"] ?? ""
        type = payload["e"].flatMap(EventType.init(rawValue:))
        schema = event?["schema"]?.string
        name = Self.name(payload, type, schema)
        properties = event?["data"]?.object ?? payload.ownParameters
        entities = payload.entities.compactMap { entity in
            entity["schema"]?.string.map { Entity(schema: $0, data: entity["data"]?.object ?? JSONObject()) }
        }
        userID = payload["uid"]
        time = payload["dtm"].flatMap { Int64($0) }.map(Date.init(milliseconds:))
        self.isAnonymous = isAnonymous
        parameters = payload.texts
    }

    private static func name(_ payload: EventPayload, _ type: EventType?, _ schema: String?) -> String {
        switch type {
        case .structured: payload["se_ac"] ?? ""
        case .pageView: "page_view"
        case .pagePing: "page_ping"
        case .transaction: "transaction"
        case .transactionItem: "transaction_item"
        default: schema?.schemaName ?? payload["e"] ?? ""
        }
    }

    /// Returns the data of the first entity whose schema has a name.
    /// - Parameter name: The name, such as `product` in `iglu:com.acme/product/jsonschema/1-0-0`.
    /// - Returns: The data; nil if there is no such entity.
    public func entity(_ name: String) -> JSONObject? {
        entities.first { $0.schema.schemaName == name }?.data
    }
}

extension CollectedEvent: CustomStringConvertible {
    /// The event's namespace, name and properties on one line.
    public var description: String { "\(namespace) \(name) \(JSONValue.object(properties))" }
}

extension String {
    /// The name in an Iglu URI, such as `product` in `iglu:com.acme/product/jsonschema/1-0-0`; for any other text, the
    /// text itself.
    fileprivate var schemaName: String {
        let parts = split(separator: "/")
        return parts.count == 4 ? String(parts[1]) : self
    }
}
