import FoundationEssentials
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@Suite("a tracker's status", .endsWhenItHangs)
struct TrackerStatusTests {
    private let rig = Rig()

    @Test("it tells the oldest unsent event, failures in a row, the last answer and the collector")
    func tells() async throws {
        let tracker = try await rig.tracker()
        let fresh = await tracker.status
        #expect(fresh.oldestEventTime == nil && fresh.lastResponse == nil && fresh.consecutiveFailures == 0)
        #expect(fresh.collector == "https://c.example")
        let tracked = rig.time.wallTime
        tracker.track(1...2)
        rig.time.advance(by: .milliseconds(10))
        tracker.track(3...3)
        rig.transport.script(503)
        let flush = Task { await tracker.flush(timeout: .seconds(60)) }
        await rig.transport.waitForRequests(1)
        // The back-off's sleep, the flush's own and no timer.
        await rig.time.waitForSleepers(2)
        let failing = await tracker.status
        #expect(failing.oldestEventTime == Date(milliseconds: tracked))
        #expect(failing.consecutiveFailures == 1)
        #expect(failing.lastResponse == "the collector answered 503")
        #expect(failing.counters.stored == 3)
        #expect((failing.failingSince, failing.lastResponseTime) == (rig.time.now, rig.time.now))
        #expect(failing.lastSuccessTime == nil)
        // Published for readers that do not wait.
        #expect(tracker.lastStatus == failing)
        #expect((failing.lastMinute.tracked, failing.lastMinute.failed, failing.lastMinute.sent) == (3, 3, 0))
        rig.time.advance(by: .seconds(1))
        _ = await flush.value
        let well = await tracker.status
        #expect(well.oldestEventTime == nil && well.consecutiveFailures == 0 && well.counters.sent == 3)
        #expect((well.failingSince, well.lastSuccessTime) == (nil, rig.time.now))
        #expect(tracker.lastStatus.lastMinute.sent == 3)
    }

    @Test("a collector that rejects events fails, one that was asked to take too much does not")
    func rejects() async throws {
        let tracker = try await rig.tracker()
        rig.transport.script(400)
        tracker.track(1...1)
        await tracker.flush()
        let since = rig.time.now
        rig.time.advance(by: .seconds(5))
        rig.transport.script(422)
        tracker.track(2...2)
        await tracker.flush()
        let status = tracker.lastStatus
        #expect(status.failingSince == since)
        #expect((status.consecutiveFailures, status.lossReasons) == (0, [.rejected]))
        tracker.track(3...3)
        await tracker.flush()
        #expect(tracker.lastStatus.failingSince == nil)
        rig.transport.script(413)
        tracker.track(4...5)
        await tracker.flush()
        #expect(tracker.lastStatus.failingSince == nil)
    }
}
