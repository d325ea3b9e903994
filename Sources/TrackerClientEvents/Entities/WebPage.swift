public import FoundationEssentials
public import TrackerCore

/// The page view to which events belong, `iglu:com.snowplowanalytics.snowplow/web_page/jsonschema/1-0-0`.
public struct WebPage: Sendable, Hashable {
    /// The id of the view.
    public var id: UUID

    /// Creates a view.
    /// - Parameter id: The id of the view.
    public init(id: UUID) {
        self.id = id
    }

    /// The view as an entity, its id in lower case.
    public var entity: Entity {
        let data = JSONObject(present: [
            ("id", .string(id.uuidString.lowercased()))
        ])
        return Entity(schema: "iglu:com.snowplowanalytics.snowplow/web_page/jsonschema/1-0-0", data: data)
    }
}
