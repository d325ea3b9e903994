/// A number about a setup at one moment, for a system of metrics.
///
/// ```swift
/// for metric in setup.metrics { print("trackerconfig_\(metric.name)", metric.labels, metric.value) }
/// ```
public struct Metric: Sendable {
    /// The name without a prefix, such as `events_sent_total`. The metrics of one name follow one another, and differ in their labels.
    public let name: String

    /// The labels with their values, such as `namespace` and `checkout`.
    public let labels: [(name: String, value: String)]

    /// The value: a number, seconds, bytes, or 1 for true and 0 for false.
    public let value: Double

    /// Whether the metric counts from 0 on since the start of the process; else it is a state.
    public var isCounter: Bool { name.hasSuffix("_total") }

    package init(_ name: String, _ value: Double, _ labels: [(name: String, value: String)] = []) {
        (self.name, self.labels, self.value) = (name, labels, value)
    }
}

extension String {
    /// The text in snake case, as names of the SDK are in labels: `queue_full` for `queueFull`.
    package var snakeCase: String {
        var (text, isAfterLower) = ("", false)
        for character in self {
            if character.isUppercase, isAfterLower { text += "_" }
            isAfterLower = character.isLowercase
            text += character.lowercased()
        }
        return text
    }
}
