public import FoundationEssentials
public import TrackerCore

/// The consent of a user, `iglu:com.snowplowanalytics.snowplow/consent_granted/jsonschema/1-0-0`.
///
/// Properties that are nil or empty, which is the default, are left out.
public struct ConsentGranted: Event {
    /// The time when the consent ends, to the millisecond, in the years 0000 to 9999.
    public let expiry: Date?

    /// The documents to which the user consented, each an entity.
    public let documents: [ConsentDocument]

    /// Creates an event.
    /// - Parameters:
    ///   - expiry: The time when the consent ends, to the millisecond, in the years 0000 to 9999.
    ///   - documents: The documents to which the user consented, each an entity.
    /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
    public init(expiry: Date? = nil, documents: [ConsentDocument] = []) throws(EventError) {
        let check = ValueCheck(Self.self)
        self.expiry = try check.date(expiry, "expiry")
        self.documents = documents
    }

    /// The consent as self-describing data.
    public var content: EventContent {
        let data = JSONObject(present: [
            ("expiry", expiry.flatMap(Timestamp.iso8601).map(JSONValue.string))
        ])
        return .selfDescribing(
            schema: "iglu:com.snowplowanalytics.snowplow/consent_granted/jsonschema/1-0-0", data: data)
    }

    /// The documents.
    public var entities: [Entity] { documents.map(\.entity) }
}
