import Foundation
import TestSupport
import Testing

@testable import TrackerCore

@Suite("The samples of a delivery", .endsWhenItHangs)
struct DeliverySamplerTests {
    private let start = Duration.seconds(1000)
    private let wallTime: Int64 = 1_700_000_000_000

    private func counters(tracked: Int = 0, sent: Int = 0, rejected: Int = 0, paused: Int = 0) -> TrackerCounters {
        var counters = TrackerCounters()
        (counters.tracked, counters.sent) = (tracked, sent)
        counters.droppedByReason = [.rejected: rejected, .paused: paused]
        return counters
    }

    @Test("have the growth of the counters in their 10 seconds, and leave out those without any")
    func growth() {
        var sampler = DeliverySampler()
        sampler.note(counters(tracked: 5), at: start)
        sampler.note(counters(tracked: 7, sent: 5), at: start + .seconds(9))
        sampler.note(counters(tracked: 7, sent: 7), at: start + .seconds(30))
        let samples = sampler.samples(at: start + .seconds(35), wallTime: wallTime + 35_000)
        let first = Date(milliseconds: wallTime)
        #expect(samples.map(\.time) == [first, first + 30])
        #expect(samples.map(\.tracked) == [7, 0])
        #expect(samples.map(\.sent) == [5, 2])
        let minute = sampler.lastMinute(at: start + .seconds(59))
        #expect((minute.tracked, minute.sent) == (7, 7))
        // Half of the first 10 seconds is older than a minute.
        #expect(sampler.lastMinute(at: start + .seconds(65)).sent == 5)
        #expect(sampler.lastMinute(at: start + .seconds(70)).sent == 2)
        #expect(sampler.lastMinute(at: start + .seconds(100)) == DeliveryRates())
    }

    @Test("of a minute read steadily if the rate is steady, and have what has just failed")
    func steady() {
        var sampler = DeliverySampler()
        for second in 0..<120 {
            sampler.note(counters(sent: 10 * (second + 1)), at: start + .seconds(second))
            if second >= 60 { #expect(590...610 ~= sampler.lastMinute(at: start + .seconds(second)).sent) }
        }
        sampler.note(counters(sent: 1200, rejected: 1), at: start + .seconds(121))
        #expect(sampler.lastMinute(at: start + .seconds(121)).dropped == 1)
    }

    @Test("are those of an hour, 360 at most")
    func hour() {
        var sampler = DeliverySampler()
        for step in 1...500 { sampler.note(counters(tracked: step), at: start + .seconds(10 * step)) }
        let now = start + .seconds(5_000)
        let samples = sampler.samples(at: now, wallTime: wallTime)
        #expect(samples.count == 360)
        #expect(samples.last?.time == Date(milliseconds: wallTime))
        #expect(samples.first?.time == Date(milliseconds: wallTime - 3_590_000))
        #expect(sampler.samples(at: now + .seconds(3590), wallTime: wallTime).count == 1)
        #expect(sampler.samples(at: now + .seconds(3600), wallTime: wallTime) == [])
    }

    @Test("count what is lost, and not what code kept back")
    func losses() {
        var sampler = DeliverySampler()
        sampler.note(counters(paused: 4), at: start)
        #expect(sampler.samples(at: start, wallTime: wallTime) == [])
        sampler.note(counters(rejected: 3, paused: 4), at: start)
        #expect(sampler.samples(at: start, wallTime: wallTime).map(\.dropped) == [3])
        #expect(sampler.lossReasons(at: start) == [.rejected])
        #expect(sampler.lossReasons(at: start + .seconds(3600)) == [])
    }
}
