/// A link was clicked, `iglu:com.snowplowanalytics.snowplow/link_click/jsonschema/1-0-1`.
///
/// What is nil or empty, as by default, is left out.
public struct LinkClick: Event {
    /// Where the link leads, not empty.
    public let targetURL: String

    /// The id of the link's element.
    public let elementID: String?

    /// The classes of the link's element.
    public let elementClasses: [String]

    /// The target of the link, as `_blank`.
    public let elementTarget: String?

    /// What the element contains.
    public let elementContent: String?

    /// Creates an event.
    /// - Parameters:
    ///   - targetURL: Where the link leads, not empty.
    ///   - elementID: The id of the link's element.
    ///   - elementClasses: The classes of the link's element.
    ///   - elementTarget: The target of the link, as `_blank`.
    ///   - elementContent: What the element contains.
    /// - Throws: Where a value is outside its bounds.
    public init(
        targetURL: String, elementID: String? = nil, elementClasses: [String] = [], elementTarget: String? = nil,
        elementContent: String? = nil
    ) throws(EventError) {
        let check = ValueCheck(Self.self)
        self.targetURL = try check.nonEmptyText(targetURL, "targetUrl")
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
