/// An event with a schema of its own.
///
/// ```swift
/// tracker.track(SelfDescribing(schema: "iglu:com.acme/order/jsonschema/1-0-0", data: ["id": "o-17", "total": 12.5]))
/// ```
public struct SelfDescribing: Event {
    /// The Iglu URI of the schema.
    public var schema: String

    /// The data that the schema describes.
    public var data: JSONObject

    /// Creates an event.
    /// - Parameters:
    ///   - schema: The Iglu URI of the schema, as `iglu:com.acme/order/jsonschema/1-0-0`.
    ///   - data: The data that the schema describes.
    public init(schema: String, data: JSONObject) {
        self.schema = schema
        self.data = data
    }

    /// The schema and the data.
    public var content: EventContent { .selfDescribing(schema: schema, data: data) }
}
