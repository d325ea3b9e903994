public import TrackerCore

/// A document to which users consent, `iglu:com.snowplowanalytics.snowplow/consent_document/jsonschema/1-0-0`.
///
/// Properties that are nil, which is the default, are left out.
public struct ConsentDocument: Sendable, Hashable {
    /// The id, at most 36 characters.
    public let id: String

    /// The version, at most 36 characters.
    public let version: String

    /// The name, at most 60 characters.
    public let name: String?

    /// The description, at most 10,000 characters.
    public let documentDescription: String?

    /// Creates a document.
    /// - Parameters:
    ///   - id: The id, at most 36 characters.
    ///   - version: The version, at most 36 characters.
    ///   - name: The name, at most 60 characters.
    ///   - documentDescription: The description, at most 10,000 characters.
    /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
    public init(
        id: String, version: String, name: String? = nil, documentDescription: String? = nil
    ) throws(EventError) {
        let check = ValueCheck(Self.self)
        self.id = try check.text(id, "id", atMost: 36)
        self.version = try check.text(version, "version", atMost: 36)
        self.name = try check.text(name, "name", atMost: 60)
        self.documentDescription = try check.text(documentDescription, "documentDescription", atMost: 10_000)
    }

    /// The document as an entity.
    public var entity: Entity {
        let data = JSONObject(present: [
            ("id", .string(id)),
            ("version", .string(version)),
            ("name", name.map(JSONValue.string)),
            ("description", documentDescription.map(JSONValue.string)),
        ])
        return Entity(schema: "iglu:com.snowplowanalytics.snowplow/consent_document/jsonschema/1-0-0", data: data)
    }
}
