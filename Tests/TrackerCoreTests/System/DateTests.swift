import Foundation
import TestSupport
import Testing
import TrackerCore

@Suite("Dates", .endsWhenItHangs)
struct DateTests {
    @Test(
        "a date is written in UTC, with milliseconds if it has any",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_700_000_000, "2023-11-14T22:13:20Z"), (0.25, "1970-01-01T00:00:00.250Z"),
            (-62_167_219_200, "0000-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] as [(Double, String)])
    func written(seconds: Double, text: String) {
        #expect(Date(timeIntervalSince1970: seconds).iso8601 == text)
    }

    @Test(
        "a date outside the years 0000 to 9999 has no text",
        arguments: [253_402_300_800, -1e12, .infinity, .nan] as [Double])
    func outside(seconds: Double) {
        #expect(Date(timeIntervalSince1970: seconds).iso8601 == nil)
    }

    @Test(
        "a date in milliseconds is rounded, and stays within bounds",
        arguments: [
            (0.0014, 1), (-0.0016, -2), (1_700_000_000.123, 1_700_000_000_123), (.infinity, 1 << 49),
            (-.infinity, -1 << 49), (1e300, 1 << 49), (.nan, 0),
        ] as [(Double, Int64)])
    func milliseconds(seconds: Double, expected: Int64) {
        #expect(Date(timeIntervalSince1970: seconds).milliseconds == expected)
    }

    @Test("a date of milliseconds has them", arguments: [0, 1, -1, 1_700_000_000_123, 1 << 49, -1 << 49] as [Int64])
    func date(milliseconds: Int64) {
        #expect(Date(milliseconds: milliseconds).milliseconds == milliseconds)
    }
}
