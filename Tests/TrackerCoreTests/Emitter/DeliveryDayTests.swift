import Testing

@testable import TrackerCore

/// Simulated days, for each way in which a collector can fail. What an hour may hold is ``DeliveryDay``'s.
@Suite("a day of delivery")
struct DeliveryDayTests {
    private static let faults = DeliveryDay.Fault.allCases

    @Test(
        "each hour is bounded, three collectors get at most twice as much as one, and two minutes after the fault all is sent",
        arguments: faults)
    func boundsEachHour(fault: DeliveryDay.Fault) throws {
        let one = try DeliveryDay(DeliveryDay.Plan(fault: fault))
        let three = try DeliveryDay(DeliveryDay.Plan(fault: fault, collectors: 3))
        let fallback = DeliveryDay.Plan(fault: fault, collectors: 2, hasFallback: true, hasBursts: true)
        let bursts = DeliveryDay.Plan(fault: fault, hasBursts: true)
        for day in [one, three, try DeliveryDay(fallback), try DeliveryDay(bursts)] {
            #expect(day.violations.isEmpty, "\(day.plan): \(day.violations.prefix(3))")
            #expect(day.hours.reduce(0) { $0 + $1.settled } > 1_300, "\(day.plan)")
        }
        for (hour, pair) in zip(one.hours, three.hours).enumerated() {
            #expect(pair.1.requests <= 2 * pair.0.requests, "\(three.plan), hour \(hour)")
        }
    }

    @Test("the bounds are those of a namespace: twenty have twenty times more", arguments: [1, 20])
    func growsWithNamespaces(count: Int) throws {
        let day = try DeliveryDay(DeliveryDay.Plan(fault: .unavailable, collectors: 2, namespaces: count))
        #expect(day.violations.isEmpty, "\(day.plan): \(day.violations.prefix(3))")
    }

    @Test("the checks find each fault that is made on purpose", arguments: DeliveryDay.Sabotage.allCases)
    func findsSabotage(sabotage: DeliveryDay.Sabotage) throws {
        var plan =
            switch sabotage {
            case .resetsBackoff: DeliveryDay.Plan(fault: .unavailable, collectors: 2)
            case .keepsBodyLimit: DeliveryDay.Plan(fault: .tooLarge, hasBursts: true)
            case .forgetsRefusals: DeliveryDay.Plan(fault: .tooLargeBySize)
            }
        #expect(try DeliveryDay(plan).violations.isEmpty)
        plan.sabotage = sabotage
        let found = try #require(try DeliveryDay(plan).violations.first)
        #expect(
            [.resetsBackoff: 1, .keepsBodyLimit: 22, .forgetsRefusals: 1][sabotage] == found.hour,
            "\(sabotage): hour \(found.hour), \(found.text)")
    }
}
