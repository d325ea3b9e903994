public import TrackerCore

/// The duration of an operation, `iglu:com.snowplowanalytics.snowplow/timing/jsonschema/1-0-0`.
public struct Timing: Event {
    /// The category, such as `database`.
    public var category: String

    /// The name of the operation, such as `query`.
    public var variable: String

    /// The duration in milliseconds; an event with a number that is not finite is not tracked.
    public var timing: Double

    /// A label.
    public var label: String?

    /// Creates an event.
    /// - Parameters:
    ///   - category: The category.
    ///   - variable: The name of the operation.
    ///   - timing: The duration in milliseconds, finite.
    ///   - label: A label.
    public init(category: String, variable: String, timing: Double, label: String? = nil) {
        self.category = category
        self.variable = variable
        self.timing = timing
        self.label = label
    }

    /// The timing as self-describing data.
    public var content: EventContent {
        var data: JSONObject = [
            "category": .string(category), "variable": .string(variable), "timing": .double(timing),
        ]
        data["label"] = label.map(JSONValue.string)
        return .selfDescribing(schema: "iglu:com.snowplowanalytics.snowplow/timing/jsonschema/1-0-0", data: data)
    }
}
