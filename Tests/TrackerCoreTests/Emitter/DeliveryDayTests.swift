import TestSupport
import Testing
import TrackerCore

/// Simulated days, for each way in which a collector can fail. What an hour may hold is ``DeliveryDay``'s.
@Suite("a day of delivery", .endsWhenItHangs)
struct DeliveryDayTests {
    private let seeds = (1...UInt64(Search.count(1))).map(Search.seed)

    @Test(
        "each hour is bounded, and two minutes after the fault all is sent",
        arguments: DeliveryDay.Fault.allCases)
    func boundsEachHour(fault: DeliveryDay.Fault) throws {
        for seed in seeds { check(try DeliveryDay(DeliveryDay.Plan(fault: fault, seed: seed))) }
    }

    @Test("a collector that refuses all events gets at most ten more requests an hour than one that takes them")
    func refusesAll() throws {
        for seed in seeds {
            let well = try DeliveryDay(DeliveryDay.Plan(fault: .success, seed: seed))
            let refused = try DeliveryDay(DeliveryDay.Plan(fault: .badRequest, seed: seed))
            for (hour, pair) in zip(well.hours, refused.hours).enumerated() {
                #expect(pair.1.requests <= pair.0.requests + 10, "\(refused.plan), hour \(hour)")
            }
            #expect(refused.dropped.count > 400 && refused.dropped.values.allSatisfy { $0 == .rejected })
        }
    }

    @Test(
        "an event that a front does not let through is dropped or waits, and the others arrive, each a few times at most",
        arguments: DeliveryDay.Fault.allCases.filter(\.isAboutOne))
    func isolates(fault: DeliveryDay.Fault) throws {
        for seed in seeds {
            var day = try DeliveryDay(DeliveryDay.Plan(fault: fault, seed: seed))
            day.checkOthers()
            check(day)
            let reasons: [DropReason] =
                switch fault {
                case .refusesOne: [.rejected, .rejected]
                case .findsOneTooLarge: [.oversized, .oversized]
                default: []
                }
            #expect(Array(day.dropped.values) == reasons)
        }
    }

    private func check(_ day: DeliveryDay) {
        #expect(day.violations.isEmpty, "\(day.plan): \(day.violations.prefix(3))")
        // The last ones wait for others.
        #expect(day.stored.count < 5, "\(day.plan)")
        #expect(day.hours.count == 5 && day.hours.allSatisfy { $0.tracked >= 60 })
    }
}
