public import TrackerCore

/// The receipt of a deep link, `iglu:com.snowplowanalytics.mobile/deep_link_received/jsonschema/1-0-0`.
///
/// The event also carries both URLs as `url` and `refr`, which enrichments for campaigns read. Snowplow rejects an
/// event with a value outside its bounds.
public struct DeepLinkReceived: Event {
    /// The link as self-describing data.
    public let content: EventContent

    /// The subject with both URLs, in the fields of a page.
    public let subject: EventSubject?

    /// Creates an event.
    /// - Parameters:
    ///   - url: The URL of the link, an absolute URI of at most 4,096 characters.
    ///   - referrer: The URL of the page that has the link, an absolute URI of at most 4,096 characters; nil, the
    ///     default, leaves it out.
    public init(url: String, referrer: String? = nil) {
        content = .selfDescribing(
            schema: "iglu:com.snowplowanalytics.mobile/deep_link_received/jsonschema/1-0-0",
            data: JSONObject(data: ["url": url, "referrer": referrer]))
        subject = EventSubject(url: url, referrer: referrer)
    }
}
