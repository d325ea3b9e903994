import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// What features are before, in and after their time.
@Suite("Schedules", .endsWhenItHangs)
struct ScheduleTests {
    /// A second after the clock's time at the beginning of a test.
    private static let later = "2023-11-14T23:13:21+01:00"

    @Test("a rule matches from its start on, until just before its end")
    func rule() throws {
        let rig = try ScheduleRig(
            """
            {"f": {"enabled": false, "variables": {"v": {"value": 1}}, "rules": [
               {"id": "r", "start": "\(Self.later)", "end": "2023-11-14T22:13:22Z", "enabled": true, "values": {"v": 2}}]}}
            """)
        let handle = Variable(rig.features, "f", variable: "v", default: 0)
        func seen() -> [Int] {
            [
                rig.features.isEnabled("f") ? 1 : 0, rig.features.value("f", variable: "v", default: 0), handle.value,
                handle.value(for: FeatureContext(userID: "u")),
                rig.features.snapshot.value("f", variable: "v", default: 0),
            ]
        }
        #expect(seen() == [0, 1, 1, 1, 1])
        #expect(rig.features.detail("f", variable: "v", default: 0).reason == .default)
        rig.time.advance(by: .milliseconds(999))
        #expect(seen() == [0, 1, 1, 1, 1])
        rig.time.advance(by: .milliseconds(1))
        #expect(seen() == [1, 2, 2, 2, 2])
        #expect(rig.features.detail("f", variable: "v", default: 0).rule == "r")
        rig.time.advance(by: .milliseconds(999))
        #expect(seen() == [1, 2, 2, 2, 2])
        rig.time.advance(by: .milliseconds(1))
        #expect(seen() == [0, 1, 1, 1, 1])
        // A wall clock that is set back counts at once.
        rig.time.set(Date(timeIntervalSince1970: 1_700_000_001))
        #expect(seen() == [1, 2, 2, 2, 2])
    }

    @Test("a gate counts only in its rule's time")
    func gate() throws {
        let rig = try ScheduleRig(
            """
            {"p": {"enabled": false}, "f": {"enabled": true, "rules": [
               {"id": "g", "start": "\(Self.later)", "prerequisites": [{"feature": "p", "gate": true}]}]}}
            """)
        #expect(rig.features.isEnabled("f"))
        rig.time.advance(by: .seconds(1))
        #expect(!rig.features.isEnabled("f"))
        #expect(rig.features.detail("f").reason == .disabled)
    }

    @Test("one read, or one snapshot, sees one time, through its prerequisites and for all variables")
    func oneTime() throws {
        let clock = RestlessTime()
        // Each look is an hour later: at the second, p is off.
        let rig = try ScheduleRig(
            """
            {"p": {"enabled": false, "rules": [{"id": "p", "end": "2023-11-15T00:00:00Z", "enabled": true}]},
             "f": {"enabled": false, "variables": {"v": {"value": 1}, "w": {"value": 1}}, "rules": [
                {"id": "r", "end": "2023-11-15T00:00:00Z", "prerequisites": {"feature": "p"}, "enabled": true,
                 "values": {"v": 2, "w": 2}}]}}
            """, clock: clock)
        RestlessTime.$isTest.withValue(true) {
            #expect(rig.features.isEnabled("f"))
            #expect(clock.looks == 1)
            let snapshot = rig.features.snapshot
            #expect(snapshot.values(of: "f") == FeatureValues(isEnabled: false, variables: ["v": 1, "w": 1]))
            #expect(!snapshot.isEnabled("p"))
            #expect(clock.looks == 2)
        }
    }

    @Test("the status has a warning while the clock is before 2020")
    func status() async throws {
        let service = FeatureService()
        service.service.time.set(Date(timeIntervalSince1970: 1000))
        let setup = try await service.start(
            default: #"{"f": {"rules": [{"id": "r", "end": "2030-01-01T00:00:00Z", "enabled": true}]}}"#)
        #expect(!setup.features.isEnabled("f"))
        let text = "Default version 0 has 1 warning: schedules: the clock of this machine is before 2020"
        #expect(
            setup.status.lines.contains { $0.level == .warning && $0.text.hasPrefix(text) }, "\(setup.status.lines)")
        service.service.time.set(Date(timeIntervalSince1970: 1_700_000_000))
        #expect(setup.features.isEnabled("f"))
        #expect(setup.status.document.warnings.isEmpty)
        await setup.shutdown(timeout: .zero)
    }

    @Test("before 2020 the clock was not set: nothing scheduled applies, and the log says so once")
    func unsetClock() throws {
        let rig = try ScheduleRig(
            """
            {"f": {"enabled": false, "rules": [
               {"id": "r", "end": "2023-11-14T22:13:21Z", "enabled": true}]}}
            """, more: #","experiments":[{"id":"e","end":"2030-01-01T00:00:00Z","variants":[{"name":"a"}]}]"#)
        rig.time.set(Date(timeIntervalSince1970: 1_577_836_799))
        for _ in 1...3 {
            #expect(!rig.features.isEnabled("f"))
            let context = FeatureContext(userID: "u")
            #expect(rig.features.experiments.variant(of: "e", default: "-", for: context).reason == .scheduled)
        }
        rig.time.set(Date(timeIntervalSince1970: 1_577_836_800))
        #expect(rig.features.isEnabled("f"))
        #expect(
            rig.log.records.map(\.message) == [
                "schedules: the clock of this machine is before 2020, so no rule or experiment with a schedule applies "
                    + "until it is set",
                "schedules: the clock is set",
            ])
    }
}
