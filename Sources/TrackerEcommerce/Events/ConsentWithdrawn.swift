public import TrackerCore

/// The withdrawal of a user's consent, `iglu:com.snowplowanalytics.snowplow/consent_withdrawn/jsonschema/1-0-0`.
///
/// Properties that are nil or empty, which is the default, are left out.
public struct ConsentWithdrawn: Event {
    /// Whether all consent was withdrawn; if false, only that to the documents.
    public var all: Bool

    /// The documents whose consent was withdrawn, each an entity.
    public var documents: [ConsentDocument]

    /// Creates an event.
    /// - Parameters:
    ///   - all: Whether all consent was withdrawn; if false, only that to the documents.
    ///   - documents: The documents whose consent was withdrawn, each an entity.
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
