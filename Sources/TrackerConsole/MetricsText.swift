import TrackerConfig
import TrackerCore

/// Metrics in version 0.0.4 of Prometheus's text format
/// (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
struct MetricsText {
    typealias Labels = [(name: String, value: String)]

    /// The descriptions, one per line, after the name without the common prefix.
    private let helps: [Substring: Substring]
    private(set) var text = ""
    /// The name of the last metric, whose header stands in the text.
    private var last = ""

    init(_ helps: String) {
        let pairs = helps.split(separator: "\n").map { line in
            (line.prefix { $0 != ":" }, line.drop { $0 != ":" }.dropFirst(2))
        }
        self.helps = Dictionary(uniqueKeysWithValues: pairs)
    }

    /// Adds a metric.
    mutating func add(_ metric: Metric) {
        begin(metric.name, metric.isCounter ? "counter" : "gauge")
        add("trackerconfig_\(metric.name)", metric.labels, metric.value)
    }

    /// Adds a histogram.
    mutating func add(_ durations: DurationHistogram, _ name: String, _ labels: Labels) {
        begin(name, "histogram")
        let name = "trackerconfig_\(name)"
        var count = 0
        for (bound, more) in zip(DurationHistogram.boundsSeconds.map { "\($0)" } + ["+Inf"], durations.counts) {
            count += more
            add("\(name)_bucket", labels + [("le", bound)], Double(count))
        }
        add("\(name)_sum", labels, durations.sumSeconds)
        add("\(name)_count", labels, Double(count))
    }

    private mutating func begin(_ name: String, _ kind: String) {
        guard name != last else { return }
        last = name
        text += "# HELP trackerconfig_\(name) \(helps[Substring(name)] ?? "")\n# TYPE trackerconfig_\(name) \(kind)\n"
    }

    private mutating func add(_ name: String, _ labels: Labels, _ value: Double) {
        let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        let number = Int(exactly: value).map { "\($0)" } ?? (value.isFinite ? "\(value)" : "NaN")
        text += "\(name)\(pairs.isEmpty ? "" : "{\(pairs)}") \(number)\n"
    }

    /// The value of a label. Control characters, for which the format has no escape, are replaced by their code.
    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            case _ where scalar.value < 0x20: text += "\\\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
