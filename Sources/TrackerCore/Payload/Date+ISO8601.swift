package import FoundationEssentials

extension Date {
    /// The time in UTC in the format of RFC 3339: `2026-01-31T12:00:00Z` for whole seconds, otherwise with
    /// milliseconds. nil outside the years 0000 to 9999.
    package var iso8601: String? {
        guard let text = Timestamp.iso8601(self) else { return nil }
        return text.hasSuffix(".000Z") ? "\(text.dropLast(5))Z" : text
    }
}
