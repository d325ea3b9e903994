import Foundation

/// Milliseconds since 1970 as text.
enum Timestamp {
    /// The date in UTC as RFC 3339 writes it, rounded to milliseconds; nil outside the years 0000 to 9999, for which
    /// RFC 3339 has no form.
    static func iso8601(_ date: Date) -> String? {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        // NaN is outside too.
        guard -62_167_219_200_000...253_402_300_799_999 ~= milliseconds else { return nil }
        return iso8601(milliseconds: Int64(milliseconds))
    }

    /// The time in UTC as RFC 3339 writes it, `2026-01-31T12:00:00.000Z`.
    static func iso8601(milliseconds: Int64) -> String {
        let (days, millisecondOfDay) = milliseconds.flooredQuotient(by: 86_400_000)
        let (year, month, day) = civilDate(daysSince1970: days)
        let second = millisecondOfDay / 1000
        func digits(_ value: Int64, _ width: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T"
            + "\(digits(second / 3600, 2)):\(digits(second / 60 % 60, 2)):\(digits(second % 60, 2))"
            + ".\(digits(millisecondOfDay % 1000, 3))Z"
    }

    /// The Gregorian date by eras of 400 years that begin in March, so that the leap day comes last.
    private static func civilDate(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (daysSince1970 + 719_468).flooredQuotient(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func flooredQuotient(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
