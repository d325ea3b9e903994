public import TrackerCore

/// A click on a link, `iglu:com.snowplowanalytics.snowplow/link_click/jsonschema/1-0-1`.
///
/// Properties that are nil or empty, which is the default, are left out.
public struct LinkClick: Event {
    /// The URL of the link, not empty.
    public let targetURL: String

    /// The id of the link's element.
    public let elementID: String?

    /// The classes of the link's element.
    public let elementClasses: [String]

    /// The target of the link, such as `_blank`.
    public let elementTarget: String?

    /// The content of the element.
    public let elementContent: String?

    /// Creates an event.
    /// - Parameters:
    ///   - targetURL: The URL of the link, not empty.
    ///   - elementID: The id of the link's element.
    ///   - elementClasses: The classes of the link's element.
    ///   - elementTarget: The target of the link, such as `_blank`.
    ///   - elementContent: The content of the element.
    /// - Throws: ``/TrackerConfig/EventError`` if a value is outside its bounds.
    public init(
        targetURL: String, elementID: String? = nil, elementClasses: [String] = [], elementTarget: String? = nil,
        elementContent: String? = nil
    ) throws(EventError) {
        let check = ValueCheck(Self.self)
        self.targetURL = try check.nonEmptyText(targetURL, "targetURL")
        self.elementID = elementID
        self.elementClasses = elementClasses
        self.elementTarget = elementTarget
        self.elementContent = elementContent
    }

    /// The click as self-describing data.
    public var content: EventContent {
        let data = JSONObject(present: [
            ("targetUrl", .string(targetURL)),
            ("elementId", elementID.map(JSONValue.string)),
            ("elementClasses", elementClasses.isEmpty ? nil : .array(elementClasses.map(JSONValue.string))),
            ("elementTarget", elementTarget.map(JSONValue.string)),
            ("elementContent", elementContent.map(JSONValue.string)),
        ])
        return .selfDescribing(schema: "iglu:com.snowplowanalytics.snowplow/link_click/jsonschema/1-0-1", data: data)
    }
}
