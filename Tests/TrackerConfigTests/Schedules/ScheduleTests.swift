import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

@testable import TrackerFeatures

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

    @Test("a feature is disabled in its time only, and so are the variables that only a lower source has")
    func disabled() throws {
        let rig = try ScheduleRig(
            """
            {"f": {"disabled": true, "start": "\(Self.later)", "end": "2023-11-14T22:13:22Z", "variables": {"v": {"value": 3}}}}
            """, default: #"{"f": {"enabled": true, "variables": {"v": {"value": 1}, "below": {"value": 2}}}}"#)
        func seen() -> [Int] {
            [
                rig.features.isEnabled("f") ? 1 : 0, rig.features.value("f", variable: "v", default: 0),
                rig.features.value("f", variable: "below", default: 0),
                rig.features.snapshot.value("f", variable: "below", default: 0),
            ]
        }
        #expect(seen() == [1, 1, 2, 2])
        rig.time.advance(by: .seconds(1))
        #expect(seen() == [0, 0, 0, 0])
        #expect(rig.features.detail("f").reason == .disabled)
        #expect(rig.features.detail("f", variable: "below", default: 0).reason == .disabled)
        rig.time.advance(by: .seconds(1))
        #expect(seen() == [1, 1, 2, 2])
    }

    @Test("outside of its schedule a feature gives nothing, so that the next source decides")
    func feature() throws {
        let rig = try ScheduleRig(
            """
            {"f": {"start": "\(Self.later)", "end": "2023-11-14T22:13:22Z", "enabled": true,
                   "variables": {"v": {"value": 3}, "own": {"value": 5}}, "rules": [{"id": "r", "condition": {"p": 1}, "values": {"v": 4}}]}}
            """, default: #"{"f": {"enabled": false, "variables": {"v": {"value": 1}}}}"#)
        let handle = Variable(rig.features, "f", variable: "own", default: 0)
        let user = FeatureContext(attributes: ["p": 1])
        func seen() -> [Int] {
            [
                rig.features.isEnabled("f") ? 1 : 0, rig.features.isEnabled("f", for: user) ? 1 : 0,
                rig.features.value("f", variable: "v", default: 0),
                rig.features.value("f", variable: "v", default: 0, for: user), handle.value,
            ]
        }
        #expect(seen() == [0, 0, 1, 1, 0])
        #expect(rig.features.detail("f").source == .default)
        #expect(rig.features.values(of: "f") == FeatureValues(isEnabled: false, variables: ["v": 1]))
        rig.time.advance(by: .seconds(1))
        #expect(seen() == [1, 1, 3, 4, 5])
        #expect(rig.features.detail("f").source == .remote(version: 1))
        #expect(rig.features.values(of: "f") == FeatureValues(isEnabled: true, variables: ["v": 3, "own": 5]))
        rig.time.advance(by: .seconds(1))
        #expect(seen() == [0, 0, 1, 1, 0])
        #expect(rig.features.unknownNames == 0)
    }

    @Test("a rule of a scheduled feature applies only while both schedules do")
    func both() throws {
        let rig = try ScheduleRig(
            """
            {"f": {"start": "\(Self.later)", "enabled": false, "rules": [
               {"id": "early", "end": "2023-11-14T22:13:22Z", "enabled": true}]}}
            """)
        func seen() -> Bool? { rig.features.values(of: "f")?.isEnabled }
        #expect(seen() == nil)
        rig.time.advance(by: .seconds(1))
        #expect(seen() == true)
        rig.time.advance(by: .seconds(1))
        #expect(seen() == false)
    }

    @Test("experiments decide a scheduled feature's variables in their own time")
    func featureWithExperiment() throws {
        let rig = try ScheduleRig(
            #"{"f": {"start": "2023-11-14T22:13:21Z", "variables": {"v": {"value": 1}}}}"#,
            more: #","experiments":[{"id":"e","variants":[{"name":"a","values":{"f":{"v":2}}}]}]"#)
        func seen(_ context: FeatureContext?) -> Int {
            rig.features.value("f", variable: "v", default: 0, for: context)
        }
        #expect(seen(nil) == 0)
        #expect(seen(FeatureContext(userID: "u")) == 2)
        rig.time.advance(by: .seconds(1))
        #expect(seen(nil) == 1)
        #expect(seen(FeatureContext(userID: "u")) == 2)
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
            {"p": {"enabled": true, "end": "2023-11-15T00:00:00Z"},
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
        let setup = try await service.start(default: #"{"f": {"enabled": true, "end": "2030-01-01T00:00:00Z"}}"#)
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
            {"f": {"enabled": true, "end": "2023-11-14T22:13:21Z"}, "g": {"enabled": false, "rules": [
               {"id": "r", "end": "2023-11-14T22:13:21Z", "enabled": true}]}}
            """, more: #","experiments":[{"id":"e","end":"2030-01-01T00:00:00Z","variants":[{"name":"a"}]}]"#)
        rig.time.set(Date(timeIntervalSince1970: 1_577_836_799))
        for _ in 1...3 {
            #expect(!rig.features.isEnabled("f"))
            #expect(!rig.features.isEnabled("g"))
            let context = FeatureContext(userID: "u")
            #expect(rig.features.experiments.variant(of: "e", default: "-", for: context).reason == .scheduled)
        }
        rig.time.set(Date(timeIntervalSince1970: 1_577_836_800))
        #expect(rig.features.isEnabled("f"))
        #expect(
            rig.log.records.map(\.message) == [
                "schedules: the clock of this machine is before 2020, so no rule, experiment or feature with a schedule "
                    + "applies until it is set",
                "schedules: the clock is set",
            ])
    }
}
