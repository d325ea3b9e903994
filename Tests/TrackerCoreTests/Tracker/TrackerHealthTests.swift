import FoundationEssentials
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("a tracker's health", .endsWhenItHangs)
struct TrackerHealthTests {
    private let rig = Rig()

    @Test("it tells the oldest unsent event, failures in a row, the last answer and the collector")
    func tells() async throws {
        let tracker = try await rig.tracker()
        let fresh = await tracker.health
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
        let failing = await tracker.health
        #expect(failing.oldestEventTime == Date(milliseconds: tracked))
        #expect(failing.consecutiveFailures == 1)
        #expect(failing.lastResponse == "the collector answered 503")
        #expect(failing.counters.stored == 3)
        #expect((failing.failingSince, failing.lastResponseTime) == (rig.time.now, rig.time.now))
        #expect(failing.lastSuccessTime == nil)
        // Published for readers that do not wait.
        let standing = tracker.standing
        #expect(standing.health == failing)
        #expect((standing.lastMinute.tracked, standing.lastMinute.failed, standing.lastMinute.sent) == (3, 3, 0))
        rig.time.advance(by: .seconds(1))
        _ = await flush.value
        let well = await tracker.health
        #expect(well.oldestEventTime == nil && well.consecutiveFailures == 0 && well.counters.sent == 3)
        #expect((well.failingSince, well.lastSuccessTime) == (nil, rig.time.now))
        #expect(tracker.standing.lastMinute.sent == 3)
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
        let standing = tracker.standing
        #expect(standing.health.failingSince == since)
        #expect((standing.health.consecutiveFailures, standing.lossReasons) == (0, [.rejected]))
        tracker.track(3...3)
        await tracker.flush()
        #expect(tracker.standing.health.failingSince == nil)
        rig.transport.script(413)
        tracker.track(4...5)
        await tracker.flush()
        #expect(tracker.standing.health.failingSince == nil)
    }

    @Test("each request is told with its namespace, events and status, also where none came")
    func tellsRequests() async throws {
        let tracker = try await rig.tracker("a")
        let reports = Locked<[CollectorRequestReport]>([])
        let subscription = tracker.onRequest { report in reports.withLock { $0.append(report) } }
        let count = Locked(0)
        tracker.onRequest { _ in count.withLock { $0 += 1 } }
        rig.transport.script([
            .success(HTTPTransportResponse(status: 422)), .failure(HTTPTransportError(.timeout, reason: "too slow")),
        ])
        for number in 1...3 {
            tracker.track(number...number)
            let flush = Task { await tracker.flush(timeout: .seconds(60)) }
            await rig.transport.waitForRequests(number)
            if number == 2 {
                await rig.time.waitForSleepers(2)
                rig.time.advance(by: .seconds(1))
            }
            _ = await flush.value
        }
        let seen = reports.withLock { $0 }
        #expect(seen.map(\.status) == [422, nil, 200, 200])
        #expect(seen.map(\.isDelivered) == [false, false, true, true])
        #expect(seen.allSatisfy { $0.namespace == "a" && $0.eventCount == 1 })
        #expect(count.withLock { $0 } == 4, "a second closure does not replace the first")
        subscription.cancel()
        tracker.track(9...9)
        await tracker.flush()
        #expect(reports.withLock { $0.count } == 4)
        #expect(count.withLock { $0 } == 5)
    }
}
