import TestSupport
import Testing
import TrackerCore

@Suite("The history of requests", .endsWhenItHangs)
struct RequestHistoryTests {
    @Test("knows the share of failures among the newest")
    func rates() {
        let history = RequestHistory(failures: [true, true, false, true])
        #expect(history.total == 4)
        #expect(history.failureRate() == 0.75)
        #expect(history.failureRate(ofNewest: 1) == 1)
        #expect(history.failureRate(ofNewest: 2) == 0.5)
        #expect(history.failureRate(ofNewest: 0) == nil)
        #expect(RequestHistory().failureRate() == nil)
    }

    @Test("forgets all but the newest 64")
    func forgets() {
        var history = RequestHistory(failures: Array(repeating: true, count: 64) + [false])
        #expect(history.total == 65)
        #expect(history.failureRate() == 63.0 / 64)
        #expect(history.failureRate(ofNewest: 1000) == 63.0 / 64)
        for _ in 0..<63 { history.append(isFailure: false) }
        #expect(history.failureRate() == 0)
    }
}
