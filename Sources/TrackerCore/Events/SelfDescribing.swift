/// An event with data that its own schema describes.
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
    ///   - schema: The Iglu URI of the schema, such as `iglu:com.acme/order/jsonschema/1-0-0`.
    ///   - data: The data that the schema describes.
    public init(schema: String, data: JSONObject) {
        self.schema = schema
        self.data = data
    }

    /// Creates an event with data from Swift values; see ``JSONConvertible``.
    /// - Parameters:
    ///   - schema: The Iglu URI of the schema.
    ///   - data: The data that the schema describes; a member whose value is nil is left out.
    @_disfavoredOverload
    public init(schema: String, data: KeyValuePairs<String, any JSONConvertible>) {
        self.init(schema: schema, data: JSONObject(data))
    }

    /// Creates an event with data of your own type.
    ///
    /// Dates are written in UTC in the format of RFC 3339 with milliseconds, bytes in base64, and the members of
    /// objects in the order of their names.
    /// - Parameters:
    ///   - schema: The Iglu URI of the schema, such as `iglu:com.acme/order/jsonschema/1-0-0`.
    ///   - data: The data that the schema describes; a value that encodes to an object.
    /// - Throws: ``EventError`` with the code `notFinite` if a number is not finite, and `notEncodable` if the data is
    ///   nested deeper than 128 levels, does not encode to an object, or throws while it is encoded.
    public init(schema: String, encoding data: some Encodable) throws(EventError) {
        self.init(schema: schema, data: try JSONObject(encoding: data, for: SelfDescribing.self))
    }

    /// The schema and the data.
    public var content: EventContent { .selfDescribing(schema: schema, data: data) }
}
