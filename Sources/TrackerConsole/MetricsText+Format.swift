import TrackerConfig

extension MetricsText.Format {
    /// Chooses the format that a client prefers: OpenMetrics only if its `Accept` header names that, with a quality that
    /// is not below that of plain text (RFC 9110, 12.5.1).
    /// - Parameter accept: The header's value; nil without one.
    init(accept: String?) {
        var (open, plain) = (0.0, 0.0)
        for range in (accept ?? "").lowercased().split(separator: ",") {
            let parts = range.split(separator: ";").map { String($0).trimmed }
            func parameter(_ name: String) -> String? {
                parts.dropFirst().first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
            }
            let quality = parameter("q=").map { Double($0) ?? 0 } ?? 1
            switch parts.first {
            // Older drafts have versions of their own.
            case "application/openmetrics-text" where ["1.0.0", nil].contains(parameter("version=")):
                open = max(open, quality)
            case "text/plain", "text/*": plain = max(plain, quality)
            default: break
            }
        }
        self = open > 0 && open >= plain ? .openMetrics : .prometheus
    }

    /// The media type.
    var contentType: String {
        switch self {
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }
}
