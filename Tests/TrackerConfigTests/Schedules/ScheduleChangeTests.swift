import Foundation
import TestSupport
import Testing
import TrackerFeatures
import TrackerTesting

/// What listeners learn of schedules.
@Suite("Changes by schedules", .endsWhenItHangs)
struct ScheduleChangeTests {
    private static let feature = """
        {"f": {"variables": {"v": {"value": 1}}, "rules": [
           {"id": "r", "start": "2023-11-14T22:14:20Z", "end": "2023-11-14T22:17:20Z", "values": {"v": 2}}]}}
        """

    /// What the listeners of a variable and of its feature saw.
    private final class Seen: Sendable {
        private let values = Locked<[Int?]>([])
        private let features = Locked<[JSONValue?]>([])

        init(_ features: Features) {
            features.onChange(of: "f", variable: "v", as: Int.self) { change in
                self.values.withLock { $0.append(change.new) }
            }
            features.onChange(of: "f") { change in
                self.features.withLock { $0.append(change.new?.variables["v"]) }
            }
        }

        /// What the listener of the feature, which is called second, and the one of the variable saw.
        var all: [Int?] {
            let features = features.withLock { $0 }
            let values = Array(values.withLock { $0 }.prefix(features.count))
            #expect(features == values.map { $0.map { .int($0) } })
            return values
        }

        /// Returns when so many changes were seen: the next sleep may begin before.
        func wait(for count: Int) async throws {
            try await waitUntil("the listeners saw \(count) changes") { all.count >= count }
        }
    }

    /// Advances to the next look at the clock, and waits for the one after it.
    private static func step(_ rig: ScheduleRig, _ next: ClosedRange<Duration>) async {
        if let sleep = rig.time.pendingSleeps.first { rig.time.advance(by: sleep) }
        await rig.time.waitForSleep(in: next)
    }

    @Test("listeners are called at the start and at the end, and one task waits at a time")
    func startAndEnd() async throws {
        let rig = try ScheduleRig(Self.feature)
        let seen = Seen(rig.features)
        var changes = rig.features.changes(of: "f", variable: "v", as: Int.self).makeAsyncIterator()
        #expect(await changes.next()?.new == 1)
        await rig.time.waitForSleep(in: .seconds(60) ... .seconds(60))
        #expect(seen.all == [1])
        rig.time.advance(by: .seconds(60))
        #expect(await changes.next() == FeatureChange(feature: "f", old: 1, new: 2))
        #expect(seen.all == [1, 2])
        await rig.time.waitForSleepers()
        #expect(rig.time.pendingSleeps == [.seconds(60)])
        for _ in 1...3 { await Self.step(rig, .seconds(60) ... .seconds(60)) }
        #expect(await changes.next() == FeatureChange(feature: "f", old: 2, new: 1))
        #expect(seen.all == [1, 2, 1])
    }

    @Test("a clock that is set forwards or backwards is noticed within a minute, also behind the last end")
    func jumps() async throws {
        let rig = try ScheduleRig(Self.feature)
        let seen = Seen(rig.features)
        await rig.time.waitForSleepers()
        // Over the start, over the end, back between both, before both.
        for (seconds, value) in [(1_700_000_100, 2), (1_800_000_000, 1), (1_700_000_100, 2), (1_600_000_000, 1)] {
            rig.time.set(Date(timeIntervalSince1970: Double(seconds)))
            #expect(rig.features.value("f", variable: "v", default: 0) == value)
            let before = seen.all.count
            rig.time.advance(by: .seconds(60))
            try await seen.wait(for: before + 1)
            #expect(seen.all.last == value)
            await rig.time.waitForSleepers()
        }
        #expect(seen.all == [1, 2, 1, 2, 1])
    }

    @Test("what begins for no reader without a context is no change")
    func context() async throws {
        let rig = try ScheduleRig(
            """
            {"f": {"variables": {"v": {"value": 1}}, "rules": [
               {"id": "r", "start": "2023-11-14T22:13:50Z", "condition": {"plan": "pro"}, "values": {"v": 2}},
               {"id": "s", "start": "2023-11-14T22:14:20Z", "values": {"v": 3}}]}}
            """)
        let seen = Seen(rig.features)
        await rig.time.waitForSleep(in: .seconds(30) ... .seconds(30))
        await Self.step(rig, .seconds(30) ... .seconds(30))
        #expect(seen.all == [1])
        await Self.step(rig, .seconds(60) ... .seconds(60))
        try await seen.wait(for: 2)
        #expect(seen.all == [1, 3])
    }

    @Test("nothing runs while nothing is scheduled, and after a stop")
    func noTask() async throws {
        let plain = try ScheduleRig(#"{"f": {"variables": {"v": {"value": 1}}}}"#)
        #expect(plain.time.pendingSleeps.isEmpty)
        let rig = try ScheduleRig(Self.feature)
        await rig.time.waitForSleepers()
        // The default of the rig has the schedule too, so it stays.
        try rig.apply(#"{"f": {"variables": {"v": {"value": 7}}}}"#)
        #expect(rig.time.pendingSleeps == [.seconds(60)])
        rig.features.stop()
        #expect(rig.time.pendingSleeps.isEmpty)
    }

    @Test("a document that is applied is compared by the time at which each was")
    func document() throws {
        let rig = try ScheduleRig(
            #"{"f": {"rules": [{"id": "r", "end": "2023-11-14T22:14:20Z", "values": {"v": 1}}]}}"#, default: "{}")
        let seen = Seen(rig.features)
        // The end passes before the task has noticed it.
        rig.time.set(Date(timeIntervalSince1970: 1_700_000_060))
        try rig.apply(#"{"f": {"variables": {"v": {"value": 1}}}}"#)
        #expect(seen.all == [1])
        try rig.apply("{}", version: 3)
        #expect(seen.all == [1, nil])
    }

    @Test("a listener that replaces the document while a schedule is told hangs nothing, and the next one is told")
    func reentrant() async throws {
        let rig = try ScheduleRig(Self.feature, default: "{}")
        let isCancelled = Locked<Bool?>(nil)
        rig.features.onChange(of: "f", variable: "v", as: Int.self) { [rig] change in
            guard change.new == 2 else { return }
            try? rig.apply(#"{"f": {"rules": [{"id": "r", "end": "2023-11-14T22:14:30Z", "values": {"v": 5}}]}}"#)
            isCancelled.withLock { $0 = Task.isCancelled }
        }
        let seen = Seen(rig.features)
        await rig.time.waitForSleepers()
        await Self.step(rig, .seconds(10) ... .seconds(10))
        try await seen.wait(for: 3)
        #expect(isCancelled.withLock { $0 } == false)
        await Self.step(rig, .seconds(60) ... .seconds(60))
        try await seen.wait(for: 4)
        #expect(seen.all == [1, 2, 5, nil])
    }

    @Test("a clock that is set at last lets listeners know")
    func unsetClock() async throws {
        let rig = try ScheduleRig(#"{"f": {"variables": {"v": {"value": 1}}}}"#)
        rig.time.set(Date(timeIntervalSince1970: 100))
        try rig.apply(
            """
            {"f": {"variables": {"v": {"value": 1}}, "rules": [
               {"id": "r", "end": "2030-01-01T00:00:00Z", "values": {"v": 2}}]}}
            """)
        let seen = Seen(rig.features)
        #expect(seen.all == [1])
        await rig.time.waitForSleepers()
        rig.time.set(Date(timeIntervalSince1970: 1_700_000_000))
        rig.time.advance(by: .seconds(60))
        try await seen.wait(for: 2)
        #expect(seen.all == [1, 2])
    }
}
