/// Self-describing data that is attached to an event: a product, a user, a session.
public struct Entity: Sendable, Hashable {
    /// The Iglu URI of the schema.
    public var schema: String

    /// The data that the schema describes.
    public var data: JSONObject

    /// Creates an entity.
    /// - Parameters:
    ///   - schema: The Iglu URI of the schema, as `iglu:com.acme/product/jsonschema/1-0-0`.
    ///   - data: The data that the schema describes.
    public init(schema: String, data: JSONObject) {
        self.schema = schema
        self.data = data
    }
}
