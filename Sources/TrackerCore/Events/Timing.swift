/// Something took a time, `iglu:com.snowplowanalytics.snowplow/timing/jsonschema/1-0-0`.
public struct Timing: Event {
    /// What it is about, as `database`.
    public var category: String

    /// What was timed, as `query`.
    public var variable: String

    /// The time in milliseconds, finite; an event with one that is not finite is not tracked.
    public var timing: Double

    /// More about it.
    public var label: String?

    /// Creates an event.
    /// - Parameters:
    ///   - category: What it is about.
    ///   - variable: What was timed.
    ///   - timing: The time in milliseconds, finite.
    ///   - label: More about it.
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
