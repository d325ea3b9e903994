public import TrackerCore

/// A click on a link, `iglu:com.snowplowanalytics.snowplow/link_click/jsonschema/1-0-1`.
///
/// Parameters that are nil or empty, which is the default, are left out.
public struct LinkClick: Event {
    /// The click as self-describing data.
    public let content: EventContent

    /// Creates an event.
    /// - Parameters:
    ///   - targetURL: The URL of the link. Snowplow rejects an event with an empty one.
    ///   - elementID: The id of the link's element.
    ///   - elementClasses: The classes of the link's element.
    ///   - elementTarget: The target of the link, such as `_blank`.
    ///   - elementContent: The content of the element.
    public init(
        targetURL: String, elementID: String? = nil, elementClasses: [String] = [], elementTarget: String? = nil,
        elementContent: String? = nil
    ) {
        let data = JSONObject(data: [
            "targetUrl": targetURL, "elementId": elementID, "elementClasses": elementClasses,
            "elementTarget": elementTarget, "elementContent": elementContent,
        ])
        content = .selfDescribing(schema: "iglu:com.snowplowanalytics.snowplow/link_click/jsonschema/1-0-1", data: data)
    }
}
