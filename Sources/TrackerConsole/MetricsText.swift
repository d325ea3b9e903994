import TrackerConfig

/// Metrics as Prometheus reads them, in its own text format or in that of OpenMetrics.
///
/// Both have the same series: a bound of a histogram reads `1.0` in both, or a change of the format would begin other
/// series.
struct MetricsText {
    /// A text format.
    enum Format {
        /// Version 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
        case prometheus
        /// Version 1.0.0 (https://prometheus.io/docs/specs/om/open_metrics_spec/).
        case openMetrics
    }

    /// What is measured. A counter's name ends with `_total`, the name of an info with `_info`.
    enum Kind: String {
        case counter, gauge, info, histogram
    }

    /// Returns a name of the SDK's as the value of a label: all of them are in snake case, `queue_full` for `queueFull`.
    static func snakeCase(_ name: String) -> String {
        var (text, isAfterLower) = ("", false)
        for character in name {
            if character.isUppercase, isAfterLower { text += "_" }
            isAfterLower = character.isLowercase
            text += character.lowercased()
        }
        return text
    }

    /// A value with its labels.
    struct Sample {
        let labels: [(name: String, value: String)]
        let value: Double

        init(_ value: some BinaryInteger, _ labels: (name: String, value: String)...) {
            (self.value, self.labels) = (Double(value), labels)
        }

        init(_ value: Double, _ labels: (name: String, value: String)...) {
            (self.value, self.labels) = (value, labels)
        }

        init(_ isTrue: Bool, _ labels: (name: String, value: String)...) {
            (self.value, self.labels) = (isTrue ? 1 : 0, labels)
        }
    }

    /// What comes before the name of each metric.
    private static let prefix = "trackerconfig_"

    private let format: Format
    private var lines = ""

    init(_ format: Format) {
        self.format = format
    }

    /// The whole text.
    var bytes: [UInt8] { Array((format == .openMetrics ? lines + "# EOF\n" : lines).utf8) }

    /// Adds a metric; nothing without samples.
    /// - Parameters:
    ///   - name: The name, without the common prefix and the kind's suffix.
    ///   - kind: What is measured.
    ///   - help: What it means, on one line.
    ///   - samples: The values; no two have the same labels.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        let suffix = Self.suffix(of: kind)
        begin(name, kind, help)
        for sample in samples { append(name + suffix, sample.labels, sample.value) }
    }

    /// Adds a histogram of durations in seconds.
    /// - Parameters:
    ///   - name: The name, without the common prefix.
    ///   - help: What it means, on one line.
    ///   - durations: The durations with their labels; no two have the same.
    mutating func add(
        _ name: String, _ help: String, _ durations: [(DurationHistogram, labels: [(name: String, value: String)])]
    ) {
        guard !durations.isEmpty else { return }
        begin(name, .histogram, help)
        for (durations, labels) in durations {
            var count = 0
            for (bound, more) in zip(DurationHistogram.boundsSeconds.map { "\($0)" } + ["+Inf"], durations.counts) {
                count += more
                append(name + "_bucket", labels + [("le", bound)], Double(count))
            }
            append(name + "_sum", labels, durations.sumSeconds)
            append(name + "_count", labels, Double(count))
        }
    }

    private static func suffix(of kind: Kind) -> String {
        switch kind {
        case .counter: "_total"
        case .info: "_info"
        case .gauge, .histogram: ""
        }
    }

    /// Prometheus describes a metric under the name of its samples, and has no infos; OpenMetrics leaves out the suffix.
    private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        let isOpen = format == .openMetrics
        let name = Self.prefix + name + (isOpen ? "" : Self.suffix(of: kind))
        lines += "# HELP \(name) \(help)\n# TYPE \(name) \(kind == .info && !isOpen ? "gauge" : kind.rawValue)\n"
    }

    private mutating func append(_ name: String, _ labels: [(name: String, value: String)], _ value: Double) {
        lines += Self.prefix
        lines += name
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
            lines += "{\(pairs.joined(separator: ","))}"
        }
        lines += " \(Self.text(of: value))\n"
    }

    private static func text(of value: Double) -> String {
        if let whole = Int(exactly: value) { return "\(whole)" }
        return value.isFinite ? "\(value)" : value.isNaN ? "NaN" : value < 0 ? "-Inf" : "+Inf"
    }

    /// The value of a label. Control characters, for which neither format has an escape, become their code.
    private static func escaped(_ value: String) -> String {
        // Most have nothing to escape.
        guard value.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\"") })
        else { return value }
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
