import Foundation
import Testing
import TrackerCore

@Suite("A date in milliseconds")
struct DateMillisecondsTests {
    @Test(
        "is rounded, and stays within bounds",
        arguments: [
            (0.0014, 1), (-0.0016, -2), (1_700_000_000.123, 1_700_000_000_123), (.infinity, 1 << 49),
            (-.infinity, -1 << 49), (1e300, 1 << 49), (.nan, 0),
        ] as [(Double, Int64)])
    func milliseconds(seconds: Double, expected: Int64) {
        #expect(Date(timeIntervalSince1970: seconds).milliseconds == expected)
    }

    @Test("is the date again", arguments: [0, 1, -1, 1_700_000_000_123, 1 << 49, -1 << 49] as [Int64])
    func date(milliseconds: Int64) {
        #expect(Date(milliseconds: milliseconds).milliseconds == milliseconds)
    }
}
