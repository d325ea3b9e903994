import TrackerConfig

/// Metrics in version 0.0.4 of Prometheus's text format
/// (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
struct MetricsText {
    typealias Labels = [(name: String, value: String)]

    /// A value with its labels, or the durations of a histogram.
    struct Sample {
        var labels: Labels = []
        var value = 0.0
        var durations: DurationHistogram?
    }

    /// The descriptions of the metrics, by name without the common prefix.
    private let helps: [Substring: Substring]
    private(set) var text = ""

    init(_ helps: String) {
        let pairs = helps.split(separator: "\n").map { line in
            (line.prefix { $0 != ":" }, line.drop { $0 != ":" }.dropFirst(2))
        }
        self.helps = Dictionary(uniqueKeysWithValues: pairs)
    }

    /// Adds a metric; without samples it is left out.
    /// - Parameters:
    ///   - name: The name; the name of a counter ends with `_total`.
    ///   - samples: The values; no two have the same labels.
    mutating func add(_ name: String, _ samples: [Sample]) {
        guard let first = samples.first, let help = helps[Substring(name)] else { return }
        let kind = first.durations != nil ? "histogram" : name.hasSuffix("_total") ? "counter" : "gauge"
        let name = "trackerconfig_\(name)"
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
        for sample in samples { add(sample, name) }
    }

    /// Adds a metric with one value; if it is nil, the metric is left out.
    mutating func add(_ name: String, _ value: Double?) { add(name, value.map { [Sample(value: $0)] } ?? []) }

    mutating func add(_ name: String, _ count: Int) { add(name, Double(count)) }

    mutating func add(_ name: String, _ isTrue: Bool) { add(name, isTrue ? 1 : 0) }

    /// Adds a metric with a value for each of the keys; keys without a value are left out.
    mutating func add<Key>(
        _ name: String, by label: String, of keys: some Sequence<Key>, _ text: (Key) -> String,
        _ value: (Key) -> Double?
    ) {
        add(name, keys.compactMap { key in value(key).map { Sample(labels: [(label, text(key))], value: $0) } })
    }

    private mutating func add(_ sample: Sample, _ name: String) {
        guard let durations = sample.durations else { return add(name, sample.labels, sample.value) }
        var count = 0
        for (bound, more) in zip(DurationHistogram.boundsSeconds.map { "\($0)" } + ["+Inf"], durations.counts) {
            count += more
            add("\(name)_bucket", sample.labels + [("le", bound)], Double(count))
        }
        add("\(name)_sum", sample.labels, durations.sumSeconds)
        add("\(name)_count", sample.labels, Double(count))
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

extension NamedCode {
    /// The code as the value of a label, in snake case.
    var snakeCase: String { rawValue.snakeCase }
}

extension String {
    /// `queue_full` for `queueFull`.
    var snakeCase: String {
        var (text, isAfterLower) = ("", false)
        for character in self {
            if character.isUppercase, isAfterLower { text += "_" }
            isAfterLower = character.isLowercase
            text += character.lowercased()
        }
        return text
    }
}
