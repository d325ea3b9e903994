import TestSupport
import Testing

@testable import TrackerCore

/// Simulated days, for each way in which a collector can fail. What an hour may hold is ``DeliveryDay``'s.
@Suite("a day of delivery", .mayBlock)
struct DeliveryDayTests {
    private static let faults = DeliveryDay.Fault.allCases

    @Test(
        "each hour is bounded, more collectors get at most twice as much as one, and two minutes after the fault all is sent",
        arguments: faults, [false, true])
    func boundsEachHour(fault: DeliveryDay.Fault, hasBursts: Bool) throws {
        let days = try (1...3).map { collectors in
            try DeliveryDay(DeliveryDay.Plan(fault: fault, collectors: collectors, hasBursts: hasBursts))
        }
        for day in days { check(day) }
        for day in days.dropFirst() {
            for (hour, pair) in zip(days[0].hours, day.hours).enumerated() {
                #expect(pair.1.requests <= 2 * pair.0.requests, "\(day.plan), hour \(hour)")
            }
        }
    }

    @Test("while only the first collector fails, all is sent to the next one", arguments: faults)
    func fallsBack(fault: DeliveryDay.Fault) throws {
        check(try DeliveryDay(DeliveryDay.Plan(fault: fault, collectors: 2, hasFallback: true, hasBursts: true)))
    }

    // Of each way in which delivery goes on after a failure one; a day of twenty takes a second.
    @Test(
        "the bounds are those of a namespace: twenty have twenty times more",
        arguments: [DeliveryDay.Fault.badRequest, .tooLargeBySize, .unavailable, .incomplete])
    func growsWithNamespaces(fault: DeliveryDay.Fault) throws {
        check(try DeliveryDay(DeliveryDay.Plan(fault: fault, namespaces: 20)))
    }

    private func check(_ day: DeliveryDay) {
        #expect(day.violations.isEmpty, "\(day.plan): \(day.violations.prefix(3))")
        #expect(day.hours.reduce(0) { $0 + $1.settled } > day.plan.namespaces * 1_300, "\(day.plan)")
    }

    // Without the fault these days are among those of `boundsEachHour`.
    @Test("the checks find each fault that is made on purpose", arguments: DeliveryDay.Sabotage.allCases)
    func findsSabotage(sabotage: DeliveryDay.Sabotage) throws {
        var plan =
            switch sabotage {
            case .resetsBackoff: DeliveryDay.Plan(fault: .unavailable, collectors: 2)
            case .keepsBodyLimit: DeliveryDay.Plan(fault: .tooLarge, hasBursts: true)
            case .forgetsRefusals: DeliveryDay.Plan(fault: .tooLargeBySize)
            }
        plan.sabotage = sabotage
        let found = try #require(try DeliveryDay(plan).violations.first)
        #expect(
            [.resetsBackoff: 1, .keepsBodyLimit: 22, .forgetsRefusals: 1][sabotage] == found.hour,
            "\(sabotage): hour \(found.hour), \(found.text)")
    }
}
