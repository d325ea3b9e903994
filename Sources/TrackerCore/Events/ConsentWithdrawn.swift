/// A user withdrew consent, `iglu:com.snowplowanalytics.snowplow/consent_withdrawn/jsonschema/1-0-0`.
///
/// What is nil or empty, as by default, is left out.
public struct ConsentWithdrawn: Event {
    /// Whether all consent was withdrawn, or that to the documents alone.
    public var all: Bool

    /// The documents that consent was withdrawn from, each an entity.
    public var documents: [ConsentDocument]

    /// Creates an event.
    /// - Parameters:
    ///   - all: Whether all consent was withdrawn, or that to the documents alone.
    ///   - documents: The documents that consent was withdrawn from, each an entity.
    public init(all: Bool, documents: [ConsentDocument] = []) {
        self.all = all
        self.documents = documents
    }

    /// The withdrawal as self-describing data.
    public var content: EventContent {
        let data = JSONObject(present: [
            ("all", .bool(all))
        ])
        return .selfDescribing(
            schema: "iglu:com.snowplowanalytics.snowplow/consent_withdrawn/jsonschema/1-0-0", data: data)
    }

    /// The documents.
    public var entities: [Entity] { documents.map(\.entity) }
}
