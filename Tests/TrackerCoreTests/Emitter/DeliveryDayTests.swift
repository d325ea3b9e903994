import TestSupport
import Testing

@testable import TrackerCore

/// Simulated days, for each way in which a collector can fail. What an hour may hold is ``DeliveryDay``'s.
@Suite("a day of delivery", .endsWhenItHangs)
struct DeliveryDayTests {
    @Test(
        "each hour is bounded, more collectors get at most twice as much as one, and two minutes after the fault all is sent",
        arguments: DeliveryDay.Fault.allCases)
    func boundsEachHour(fault: DeliveryDay.Fault) throws {
        for seed in (1...UInt64(Search.count(1))).map(Search.seed) {
            let one = try DeliveryDay(DeliveryDay.Plan(fault: fault, seed: seed))
            let three = try DeliveryDay(DeliveryDay.Plan(fault: fault, collectors: 3, seed: seed))
            for day in [one, three] { check(day) }
            for (hour, pair) in zip(one.hours, three.hours).enumerated() {
                #expect(pair.1.requests <= 2 * pair.0.requests, "\(three.plan), hour \(hour)")
            }
        }
    }

    @Test("while only the first collector fails, all is sent to the next one", arguments: DeliveryDay.Fault.allCases)
    func fallsBack(fault: DeliveryDay.Fault) throws {
        check(try DeliveryDay(DeliveryDay.Plan(fault: fault, collectors: 2, hasFallback: true, hasBursts: false)))
    }

    private func check(_ day: DeliveryDay) {
        #expect(day.violations.isEmpty, "\(day.plan): \(day.violations.prefix(3))")
        // The last ones wait for others.
        #expect(day.stored.count < 5, "\(day.plan)")
        #expect(day.hours.count == 5 && day.hours.allSatisfy { $0.tracked >= 60 })
    }
}
