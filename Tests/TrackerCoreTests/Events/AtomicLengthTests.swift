import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerEcommerce
import TrackerTesting

@Suite("The lengths of Snowplow's atomic schema", .endsWhenItHangs)
struct AtomicLengthTests {
    private let rig = Rig()

    private func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test("cut what is longer, count it, and log the first of each parameter")
    func cuts() async throws {
        let tracker = try await rig.tracker { $0.tracker?.appID = text(256) }
        tracker.track(Structured(category: text(1001), action: text(1000), label: text(4097), property: text(1001)))
        for _ in 0..<2 {
            tracker.track(
                Structured(category: "c", action: "a"),
                subject: EventSubject(
                    userID: text(300), domainSessionIndex: -1, userAgent: text(1001),
                    screenResolution: "-1x0", viewport: "0x\(1 << 31)",
                    colorDepth: 65, pageTitle: text(2000)))
        }
        await tracker.flush()
        let events = rig.events
        #expect(
            ["se_ca", "se_ac", "se_la", "se_pr", "aid"].map { events[0][$0]?.count } == [1000, 1000, 4096, 1000, 255])
        #expect(["uid", "ua", "page", "aid"].map { events[1][$0]?.count } == [255, 1000, 2000, 255])
        #expect(["vid", "res", "vp", "cd"].allSatisfy { events[1][$0] == nil })
        #expect(tracker.counters.truncated == 4 + 7 + 7)
        #expect(tracker.counters.sent == 3)
        let lines = rig.log.records.filter { $0.message.contains("atomic schema") }
        #expect(lines.count == 10)
        #expect(lines.allSatisfy { $0.level == .warning })
    }

    @Test("count UTF-16 units as Enrich does, and cut between characters of Unicode")
    func unicode() async throws {
        let tracker = try await rig.tracker()
        tracker.track(Structured(category: String(repeating: "😀", count: 501), action: "a"))
        tracker.track(Structured(category: String(repeating: "é", count: 1000), action: "a"))
        tracker.track(Structured(category: "x" + String(repeating: "😀", count: 500), action: "a"))
        await tracker.flush()
        #expect(rig.events.map { $0["se_ca"]?.unicodeScalars.count } == [500, 1000, 500])
        #expect(tracker.counters.truncated == 2)
    }

    @Test("hold for the settings and for contexts, which are written once")
    func contexts() async throws {
        let tracker = try await rig.tracker()
        try tracker.subject.set(\.networkUserID, to: text(129))
        tracker.track(1...2)
        let context = TrackingContext(subject: EventSubject(networkUserID: "short", ipAddress: text(129)))
        withTrackingContext(context) {
            tracker.track(Structured(category: "c", action: "3"))
            tracker.track(Structured(category: "c", action: "4"), subject: EventSubject(ipAddress: "10.0.0.1"))
        }
        await tracker.flush()
        #expect(rig.events.map { $0["tnuid"]?.count } == [128, 128, 5, 5])
        #expect(rig.events.map { $0["ip"]?.count } == [nil, nil, 128, 8])
        #expect(tracker.counters.truncated == 3)
    }

    @Test("hold for transactions")
    func transactions() async throws {
        let tracker = try await rig.tracker()
        tracker.track(EcommerceTransaction(orderID: text(256), total: 1, currency: "EUR"))
        await tracker.flush()
        #expect(rig.events[0]["tr_id"]?.count == 255)
        #expect(rig.events[0]["tr_cu"] == "EUR")
        #expect(tracker.counters.truncated == 1)
    }
}
