public import TrackerCore

/// The withdrawal of a user's consent, `iglu:com.snowplowanalytics.snowplow/consent_withdrawn/jsonschema/1-0-0`.
public struct ConsentWithdrawn: Event {
    /// The withdrawal as self-describing data.
    public let content: EventContent

    /// The documents.
    public let entities: [Entity]

    /// Creates an event.
    /// - Parameters:
    ///   - all: Whether all consent was withdrawn; if false, only the consent to the documents.
    ///   - documents: The documents whose consent was withdrawn, each an entity; none by default.
    public init(all: Bool, documents: [ConsentDocument] = []) {
        content = .selfDescribing(
            schema: "iglu:com.snowplowanalytics.snowplow/consent_withdrawn/jsonschema/1-0-0",
            data: ["all": .bool(all)])
        entities = documents.map(\.entity)
    }
}
