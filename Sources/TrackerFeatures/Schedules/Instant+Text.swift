import FoundationEssentials

extension Instant {
    /// The time in UTC in the format of RFC 3339: `2026-12-01T00:00:00Z`.
    package var text: String { Date(milliseconds: milliseconds).iso8601 ?? "\(milliseconds)" }
}
