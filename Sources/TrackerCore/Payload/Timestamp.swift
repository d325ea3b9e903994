package import FoundationEssentials

/// Milliseconds since 1970 as text.
package enum Timestamp {
    /// The date in UTC in the format of RFC 3339, rounded to milliseconds; nil outside the years 0000 to 9999, which
    /// RFC 3339 cannot represent.
    package static func iso8601(_ date: Date) -> String? {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        // NaN is outside too.
        guard -62_167_219_200_000...253_402_300_799_999 ~= milliseconds else { return nil }
        return iso8601(milliseconds: Int64(milliseconds))
    }

    // Not `Date.ISO8601FormatStyle`: it truncates fractions of milliseconds and is Julian before 1582.

    /// The time in UTC in the format of RFC 3339, `2026-01-31T12:00:00.000Z`.
    static func iso8601(milliseconds: Int64) -> String {
        let (seconds, millisecond) = Int(milliseconds).flooredQuotient(by: 1000)
        let time = CivilTime(secondsSince1970: seconds)
        return "\(time.year.padded(to: 4))-\(time.month.padded(to: 2))-\(time.day.padded(to: 2))T"
            + "\(time.hour.padded(to: 2)):\(time.minute.padded(to: 2)):\(time.second.padded(to: 2))"
            + ".\(millisecond.padded(to: 3))Z"
    }
}

extension Date {
    /// The time in UTC in the format of RFC 3339: `2026-01-31T12:00:00Z` for whole seconds, otherwise with
    /// milliseconds. nil outside the years 0000 to 9999.
    package var iso8601: String? {
        guard let text = Timestamp.iso8601(self) else { return nil }
        return text.hasSuffix(".000Z") ? "\(text.dropLast(5))Z" : text
    }
}
