public import FoundationEssentials
public import TrackerCore

/// The consent of a user, `iglu:com.snowplowanalytics.snowplow/consent_granted/jsonschema/1-0-0`.
///
/// ```swift
/// tracker.track(ConsentGranted(documents: [ConsentDocument(id: "terms", version: "3")]))
/// ```
public struct ConsentGranted: Event {
    /// The consent as self-describing data.
    public let content: EventContent

    /// The documents.
    public let entities: [Entity]

    /// Creates an event.
    /// - Parameters:
    ///   - expiry: The time when the consent ends, to the millisecond; nil by default, and left out outside the years
    ///     0000 to 9999.
    ///   - documents: The documents to which the user consented, each an entity; none by default.
    public init(expiry: Date? = nil, documents: [ConsentDocument] = []) {
        content = .selfDescribing(
            schema: "iglu:com.snowplowanalytics.snowplow/consent_granted/jsonschema/1-0-0",
            data: JSONObject(data: ["expiry": expiry]))
        entities = documents.map(\.entity)
    }
}
