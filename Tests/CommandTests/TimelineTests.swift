import Foundation
import Testing

@testable import demo_tracker

@Suite("The times of the demonstration")
struct TimelineTests {
    @Test("are milliseconds since the start at first, then the time of the clock")
    func stamps() throws {
        let date = Date(timeIntervalSince1970: 3_723)
        let zone = try #require(TimeZone(secondsFromGMT: 0))
        #expect(Timeline.stamp(.milliseconds(1234), at: date, in: zone) == " 1234.0 ms")
        #expect(Timeline.stamp(.milliseconds(9999), at: date, in: zone) == " 9999.0 ms")
        #expect(Timeline.stamp(.seconds(10), at: date, in: zone) == "  01:02:03")
    }
}
