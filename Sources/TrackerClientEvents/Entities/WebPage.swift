public import FoundationEssentials
public import TrackerCore

/// The page view to which events belong, `iglu:com.snowplowanalytics.snowplow/web_page/jsonschema/1-0-0`.
public struct WebPage: Sendable, Hashable {
    /// The view as an entity, its id in lower case.
    public let entity: Entity

    /// Creates a view.
    /// - Parameter id: The id of the view.
    public init(id: UUID) {
        entity = Entity(
            schema: "iglu:com.snowplowanalytics.snowplow/web_page/jsonschema/1-0-0", data: JSONObject(data: ["id": id]))
    }
}
