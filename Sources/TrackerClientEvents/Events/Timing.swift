public import TrackerCore

/// The duration of an operation, `iglu:com.snowplowanalytics.snowplow/timing/jsonschema/1-0-0`.
///
/// ```swift
/// tracker.track(Timing(category: "database", variable: "query", timing: 12.5))
/// ```
public struct Timing: Event {
    /// The timing as self-describing data.
    public let content: EventContent

    /// Creates an event.
    /// - Parameters:
    ///   - category: The category, such as `database`.
    ///   - variable: The name of the operation, such as `query`.
    ///   - timing: The duration in milliseconds; an event with a number that is not finite is not tracked.
    ///   - label: A label; nil, the default, leaves it out.
    public init(category: String, variable: String, timing: Double, label: String? = nil) {
        content = .selfDescribing(
            schema: "iglu:com.snowplowanalytics.snowplow/timing/jsonschema/1-0-0",
            data: JSONObject(data: ["category": category, "variable": variable, "timing": timing, "label": label]))
    }
}
