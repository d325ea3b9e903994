import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("EventPipeline.shutdown", .endsWhenItHangs)
struct ShutdownTests {
    @Test("shutting down sends what there is, and later events are counted")
    func sendsAndCloses() async throws {
        let rig = Rig()
        let one = try await rig.tracker("one")
        let two = try await rig.tracker("two")
        one.track(1...3)
        two.track(4...5)
        #expect(await rig.pipeline.shutdown().delivery == Delivery(sent: 5, stored: 0))
        #expect(one.track(PageView(url: "u")) == nil)
        let error = await #expect(throws: TrackingError.self) { try await two.trackCommitted(PageView(url: "u")) }
        #expect(error?.dropReason == .shutDown)
        #expect(one.counters.droppedByReason == [.shutDown: 1])
        #expect(await rig.pipeline.shutdown().delivery == Delivery(sent: 5, stored: 0, dropped: 2))
        #expect(await one.flush().delivery == Delivery(sent: 3, stored: 0, dropped: 1))
    }

    @Test("a transport that never answers and cannot be cancelled holds it no longer than its time")
    func endsByTime() async throws {
        let directory = TemporaryDirectory()
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.tracker()
        rig.transport.hold()
        tracker.track(1...3)
        async let report = rig.pipeline.shutdown(timeout: .seconds(5))
        let held = await rig.transport.next()
        // Before its own end the flush waits as long, for events that are just being taken over.
        try await waitUntil("the flush waits for the collector") {
            tracker.namespaceEmitter.state.withLock { !$0.flushes.isEmpty }
        }
        // The flush's end and shutdown's own.
        for milliseconds in [5000, 5500] { await rig.time.waitForSleeps(1, of: .milliseconds(milliseconds)) }
        rig.time.advance(by: .seconds(5))
        rig.time.advance(by: .milliseconds(500))
        #expect(await report.delivery == Delivery(sent: 0, stored: 3))
        #expect(tracker.track(PageView(url: "u")) == nil)
        held.fail()
        let next = Rig(stateDirectory: directory.path, seed: 2)
        let heir = try await next.idleTracker()
        try await waitUntil("the next process has the events") {
            await next.pipeline.takeOver()
            return await heir.storedCounters().stored == 3
        }
    }

    @Test("an answer that comes while it closes is still judged")
    func judgesLateAnswers() async throws {
        let rig = Rig()
        let tracker = try await rig.tracker()
        rig.transport.hold()
        tracker.track(1...3)
        async let report = rig.pipeline.shutdown(timeout: .seconds(5))
        let held = await rig.transport.next()
        held.answer(200)
        #expect(await report.sent == 3)
    }
}
