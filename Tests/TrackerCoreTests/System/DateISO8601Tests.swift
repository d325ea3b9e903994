import Foundation
import Testing

@testable import TrackerCore

/// Dates as RFC 3339 writes them.
@Suite("Dates as text")
struct DateISO8601Tests {
    @Test(
        "a date is written in UTC, with milliseconds if it has any, and read back",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_700_000_000, "2023-11-14T22:13:20Z"), (0.25, "1970-01-01T00:00:00.250Z"),
            (-62_167_219_200, "0000-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] as [(Double, String)])
    func written(seconds: Double, text: String) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(date.iso8601 == text)
        #expect(Date(iso8601: text) == date)
    }

    @Test(
        "a date outside the years 0000 to 9999 has no text",
        arguments: [253_402_300_800, -1e12, .infinity, .nan] as [Double])
    func outside(seconds: Double) {
        #expect(Date(timeIntervalSince1970: seconds).iso8601 == nil)
    }

    @Test(
        "offsets, fractions and small letters are read",
        arguments: [
            ("2023-11-14T23:43:20+01:30", 1_700_000_000.0), ("2023-11-14T20:13:20-02:00", 1_700_000_000),
            ("2023-11-14t22:13:20.5z", 1_700_000_000.5), ("2024-02-29T00:00:00Z", 1_709_164_800),
        ] as [(String, Double)])
    func read(text: String, seconds: Double) {
        #expect(Date(iso8601: text)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "what is no time, or has no offset, is not read",
        arguments: [
            "", "2023-11-14", "2023-11-14T22:13:20", "2023-11-14T22:13Z", "2023-02-29T00:00:00Z",
            "2023-13-01T00:00:00Z",
            "2023-00-01T00:00:00Z", "2023-11-14T24:00:00Z", "2023-11-14T22:60:00Z", "2023-11-14T22:13:20+24:00",
            "2023-11-14T22:13:20+00:60", "2023-11-14T22:13:20.Z", " 2023-11-14T22:13:20Z", "2023-11-14T22:13:20ZZ",
            "٢٠٢٣-11-14T22:13:20Z",
        ])
    func unreadable(text: String) {
        #expect(Date(iso8601: text) == nil)
    }
}
