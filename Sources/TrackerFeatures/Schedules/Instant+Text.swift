import FoundationEssentials

extension Instant {
    /// The moment in UTC as RFC 3339 writes it: `2026-12-01T00:00:00Z`.
    package var text: String { Date(milliseconds: milliseconds).iso8601 ?? "\(milliseconds)" }
}
