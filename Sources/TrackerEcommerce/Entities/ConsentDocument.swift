public import TrackerCore

/// A document to which users consent, `iglu:com.snowplowanalytics.snowplow/consent_document/jsonschema/1-0-0`.
///
/// Parameters that are nil, the default, are left out. Snowplow rejects an event with a value outside its bounds.
public struct ConsentDocument: Sendable, Hashable {
    /// The document as an entity.
    public let entity: Entity

    /// Creates a document.
    /// - Parameters:
    ///   - id: The id, at most 36 characters.
    ///   - version: The version, at most 36 characters.
    ///   - name: The name, at most 60 characters.
    ///   - documentDescription: The description, at most 10,000 characters.
    public init(id: String, version: String, name: String? = nil, documentDescription: String? = nil) {
        entity = Entity(
            schema: "iglu:com.snowplowanalytics.snowplow/consent_document/jsonschema/1-0-0",
            data: JSONObject(data: ["id": id, "version": version, "name": name, "description": documentDescription]))
    }
}
