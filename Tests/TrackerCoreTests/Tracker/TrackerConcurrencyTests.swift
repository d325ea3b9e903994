import Foundation
import TestSupport
import Testing

@testable import TrackerCore

@Suite("Tracker under concurrency", .endsWhenItHangs)
struct TrackerConcurrencyTests {
    private let rig = Rig()

    @Test("four threads track while settings change: no event is lost and each is of one piece")
    func tracksFromManyThreads() async throws {
        let tracker = try await rig.tracker {
            $0.tracker?.sessionContext = true
            $0.tracker?.base64Encoding = false
            $0.subject = Self.subject(0)
            $0.emitter?.emitRange = 100_000
        }
        let count = Search.count(250)
        let isOver = Locked(false)
        let changer = Thread {
            var version = 0
            while !isOver.withLock({ $0 }) {
                version += 1
                var bundle = ConfigurationBundle.sample()
                bundle.tracker?.sessionContext = true
                bundle.tracker?.base64Encoding = false
                bundle.subject = Self.subject(version)
                try? tracker.adopt(default: nil, remote: bundle, version: version)
            }
        }
        changer.start()
        let ids = Locked<Set<String>>([])
        await Threads.run(4) { thread in
            let own = (0..<count).compactMap { number in
                tracker.track(Structured(category: "c", action: "\(thread)-\(number)"))?.description
            }
            ids.withLock { $0.formUnion(own) }
        }
        isOver.withLock { $0 = true }
        await tracker.flush()
        let counters = await tracker.settledCounters()
        #expect((counters.tracked, counters.sent) == (4 * count, 4 * count))
        #expect(counters.addUp)
        let events = rig.events
        #expect(Set(events.map { $0["eid"] ?? "" }) == ids.withLock { $0 })
        #expect(events.allSatisfy { $0["uid"] == $0["lang"] && $0["uid"] == $0["tz"] })
        let indices = events.compactMap { $0.entity("client_session")?["eventIndex"]?.int }
        #expect(indices.sorted() == Array(1...4 * count))
        for thread in 0..<4 {
            let own = events.compactMap { $0["se_ac"] }.filter { $0.hasPrefix("\(thread)-") }
            #expect(own == (0..<count).map { "\(thread)-\($0)" }, "the order of a thread is kept")
        }
    }

    private static func subject(_ version: Int) -> EventSubject {
        EventSubject {
            $0.userID = "\(version)"
            $0.language = "\(version)"
            $0.timeZone = "\(version)"
        }
    }

    @Test("after changes from many threads the emitter follows the settings that hold")
    func emitterFollowsTheLastChange() async throws {
        for round in 0..<Search.count(25) {
            let tracker = try await rig.tracker("ns-\(round)")
            await Threads.run(4) { thread in try? tracker.emitter.set(\.emitRange, to: thread + 1) }
            let settings = tracker.state.withLock { $0.settings }
            #expect(tracker.namespaceEmitter.settings === settings, "round \(round)")
        }
    }

    @Test("a change that meets the removal does not bring the tracker back")
    func removalWins() async throws {
        for round in 0..<Search.count(25) {
            let tracker = try await rig.tracker("ns-\(round)")
            await Threads.run(2) { thread in
                if thread == 0 { tracker.remove() } else { try? tracker.emitter.set(\.emitRange, to: 3) }
            }
            #expect(tracker.namespaceEmitter.settings === nil, "round \(round)")
        }
    }
}
