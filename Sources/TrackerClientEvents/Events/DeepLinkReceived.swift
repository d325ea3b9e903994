public import TrackerCore

/// The receipt of a deep link, `iglu:com.snowplowanalytics.mobile/deep_link_received/jsonschema/1-0-0`.
///
/// Properties that are nil, which is the default, are left out. The event also carries both URLs as `url` and `refr`,
/// which enrichments for campaigns read.
public struct DeepLinkReceived: Event {
    /// The URL of the link, an absolute URI of at most 4,096 characters.
    public let url: String

    /// The URL of the page that has the link, an absolute URI of at most 4,096 characters.
    public let referrer: String?

    /// Creates an event.
    /// - Parameters:
    ///   - url: The URL of the link, an absolute URI of at most 4,096 characters.
    ///   - referrer: The URL of the page that has the link, an absolute URI of at most 4,096 characters.
    /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
    public init(url: String, referrer: String? = nil) throws(EventError) {
        let check = ValueCheck(Self.self)
        self.url = try check.uri(url, "url", atMost: 4096)
        self.referrer = try check.uri(referrer, "referrer", atMost: 4096)
    }

    /// The subject with the URLs, as those of a page.
    public var subject: EventSubject? { EventSubject(url: url, referrer: referrer) }

    /// The link as self-describing data.
    public var content: EventContent {
        let data = JSONObject(present: [
            ("url", .string(url)),
            ("referrer", referrer.map(JSONValue.string)),
        ])
        return .selfDescribing(
            schema: "iglu:com.snowplowanalytics.mobile/deep_link_received/jsonschema/1-0-0", data: data)
    }
}
