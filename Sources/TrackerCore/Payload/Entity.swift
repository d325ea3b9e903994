/// Self-describing data that is attached to an event: a product, a user, a session.
public struct Entity: Sendable, Hashable {
    /// The Iglu URI of the schema.
    public var schema: String

    /// The data that the schema describes.
    public var data: JSONObject

    /// Creates an entity.
    /// - Parameters:
    ///   - schema: The Iglu URI of the schema, such as `iglu:com.acme/product/jsonschema/1-0-0`.
    ///   - data: The data that the schema describes.
    public init(schema: String, data: JSONObject) {
        self.schema = schema
        self.data = data
    }

    /// Creates an entity with data from Swift values; see ``JSONConvertible``.
    /// - Parameters:
    ///   - schema: The Iglu URI of the schema.
    ///   - data: The data that the schema describes; a member whose value is nil is left out.
    @_disfavoredOverload
    public init(schema: String, data: KeyValuePairs<String, any JSONConvertible>) {
        self.init(schema: schema, data: JSONObject(data))
    }

    /// Creates an entity with data of your own type.
    ///
    /// Dates are written in UTC in the format of RFC 3339 with milliseconds, bytes in base64, and the members of
    /// objects in the order of their names.
    /// - Parameters:
    ///   - schema: The Iglu URI of the schema, such as `iglu:com.acme/product/jsonschema/1-0-0`.
    ///   - data: The data that the schema describes; a value that encodes to an object.
    /// - Throws: ``EventError`` with the code `notFinite` if a number is not finite, and `notEncodable` if the data is
    ///   nested deeper than 128 levels, does not encode to an object, or throws while it is encoded.
    public init(schema: String, encoding data: some Encodable) throws(EventError) {
        self.init(schema: schema, data: try JSONObject(encoding: data, for: Entity.self))
    }
}
