import Foundation
import TestSupport
import Testing
import TrackerCore

@testable import TrackerConfig

@Suite("The document with which a failure began", .endsWhenItHangs)
struct NetworkChangeTests {
    private let time = Date(timeIntervalSince1970: 1_700_000_000)

    @Test(
        "is one that was applied at most 2 min before, after which no request succeeded but those of before",
        arguments: [
            (0, nil, true), (120, nil, true), (121, nil, false), (-1, nil, false), (30, -60, true), (30, 5, true),
            (30, 6, false), (31, 5, false),
        ] as [(Double, Double?, Bool)])
    func began(failure: Double, success: Double?, isCause: Bool) {
        let change = NetworkChange(version: 3, time: time, settings: ["network.endpoint"])
        #expect(change.began(time + failure, lastSuccess: success.map { time + $0 }) == isCause)
    }
}
