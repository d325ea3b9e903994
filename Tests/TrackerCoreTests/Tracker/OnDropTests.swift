import Foundation
import TestSupport
import Testing
import TrackerClientEvents
import TrackerCore
import TrackerTesting

@Suite("onDrop", .endsWhenItHangs)
struct OnDropTests {
    /// The calls of a tracker's closure, with what tells their threads apart.
    private final class Drops: Sendable {
        struct Call: Sendable {
            let events: [DroppedEvent]
            let reason: DropReason
        }

        private let state = Locked<[Call]>([])

        init(of tracker: Tracker) {
            tracker.onDrop { [state] events, reason in
                state.withLock { $0.append(Call(events: events, reason: reason)) }
            }
        }

        var calls: [Call] { state.withLock { $0 } }
        var reasons: [DropReason] { calls.map(\.reason) }
        var actions: [String?] { calls.flatMap(\.events).map { $0.payload["se_ac"]?.string } }
    }

    private let rig = Rig()
    private let directory = TemporaryDirectory()

    private func rig(isOnDisk: Bool) -> Rig { Rig(stateDirectory: isOnDisk ? directory.path : nil) }

    /// Makes the closures have had all events.
    private static func settle(_ tracker: Tracker) async {
        _ = await tracker.settledCounters()
        await tracker.namespaceEmitter.waitForDropActions()
    }

    private func statuses(_ status: Int) -> @Sendable (HTTPTransportRequest) -> ScriptedTransport.Answer {
        { _ in .success(HTTPTransportResponse(status: status)) }
    }

    @Test("several closures have the events, each until it is cancelled")
    func passesToAll() async throws {
        rig.transport.respond(statuses(400))
        let tracker = try await rig.tracker()
        let (first, second) = (Drops(of: tracker), Drops(of: tracker))
        let counts = Locked(0)
        let subscription = tracker.onDrop { events, _ in counts.withLock { $0 += events.count } }
        tracker.track(1...3)
        await tracker.flush()
        await Self.settle(tracker)
        subscription.cancel()
        subscription.cancel()
        tracker.track(4...4)
        await tracker.flush()
        await Self.settle(tracker)
        #expect(first.actions == ["1", "2", "3", "4"])
        #expect(second.actions == first.actions)
        #expect(counts.withLock { $0 } == 3)
    }

    @Test(
        "events that the collector rejects come with their ids, payloads and server anonymisation",
        arguments: [true, false])
    func reportsRejections(isOnDisk: Bool) async throws {
        let rig = rig(isOnDisk: isOnDisk)
        rig.transport.respond(statuses(403))
        let tracker = try await rig.tracker { $0.emitter?.serverAnonymisation = isOnDisk }
        let drops = Drops(of: tracker)
        let ids = (1...3).map { tracker.track(Structured(category: "c", action: "\($0)")) }
        await tracker.flush()
        await Self.settle(tracker)
        #expect(drops.reasons == [.rejected])
        let events = drops.calls.flatMap(\.events)
        #expect(events.map(\.id) == ids)
        #expect(events.map(\.namespace) == ["ns", "ns", "ns"])
        #expect(events.allSatisfy { $0.isAnonymous == isOnDisk })
        // All together, and then two alone.
        let sent = rig.events.prefix(3).map { $0.filter { $0.key != "stm" } }
        let payloads = events.map { event in
            Dictionary(uniqueKeysWithValues: event.payload.members.map { ($0.name, $0.value.string ?? "") })
        }
        #expect(payloads == sent)
        #expect(tracker.counters.addUp)
    }

    @Test("events that are too large or not to be retried come with their reasons, in calls of their own")
    func reportsUnsent() async throws {
        let tracker = try await rig.tracker { $0.emitter?.byteLimitPost = 1000 }
        let drops = Drops(of: tracker)
        rig.transport.respond { request in
            .success(HTTPTransportResponse(status: request.body?.count ?? 0 > 1500 ? 413 : 403))
        }
        tracker.track(1...1)
        tracker.track(PaddedEvent(action: "large", size: 2000))
        await tracker.flush()
        rig.transport.respond(statuses(503))
        try tracker.emitter.set(\.retryFailedRequests, to: false)
        await tracker.followed()
        tracker.track(2...2)
        await tracker.flush()
        await Self.settle(tracker)
        #expect(Set(drops.reasons) == [.rejected, .oversized, .notRetried])
        #expect(drops.calls.map(\.events.count) == [1, 1, 1])
        #expect(Set(drops.actions) == ["1", "large", "2"])
        #expect(rig.transport.requests.count { $0.body?.count ?? 0 > 1500 } == 1)
        #expect(tracker.counters.addUp)
    }

    @Test("events that give way to the store's bounds come, and loaded ones do not", arguments: [true, false])
    func reportsBounds(isOnDisk: Bool) async throws {
        let rig = rig(isOnDisk: isOnDisk)
        let tracker = try await rig.tracker {
            $0.emitter?.maxEventStoreSize = 5
            $0.emitter?.maxEventStoreAge = .seconds(100)
        }
        let drops = Drops(of: tracker)
        rig.transport.hold()
        tracker.track(1...3)
        let flush = Task { await tracker.flush(timeout: .seconds(1000)) }
        let held = await rig.transport.next()
        tracker.track(4...9)
        await Self.settle(tracker)
        #expect(drops.actions == ["4", "5", "6", "7"])
        #expect(Set(drops.reasons) == [.storeFull])
        rig.transport.release()
        held.answer(200)
        _ = await flush.value
        #expect(rig.actions == ["1", "2", "3", "8", "9"])
        tracker.emitter.pause()
        await tracker.followed()
        tracker.track(10...11)
        _ = await tracker.settledCounters()
        rig.time.advance(by: .seconds(101))
        tracker.track(12...12)
        await Self.settle(tracker)
        #expect(drops.actions.suffix(2) == ["10", "11"])
        #expect(Set(drops.reasons) == [.storeFull, .expired])
        #expect(tracker.counters.droppedByReason == [.storeFull: 4, .expired: 2])
        #expect(tracker.counters.stored == 1)
        #expect(tracker.counters.addUp)
    }

    @Test("more expired events than are read at a time all come", arguments: [true, false])
    func reportsMany(isOnDisk: Bool) async throws {
        let rig = rig(isOnDisk: isOnDisk)
        let tracker = try await rig.idleTracker { $0.emitter?.maxEventStoreAge = .seconds(100) }
        let drops = Drops(of: tracker)
        tracker.track(1...1100)
        _ = await tracker.settledCounters()
        rig.time.advance(by: .seconds(101))
        tracker.track(0...0)
        await Self.settle(tracker)
        #expect(drops.actions == (1...1100).map { "\($0)" })
        #expect(tracker.counters.droppedByReason == [.expired: 1100])
        #expect(tracker.counters.stored == 1)
    }

    @Test(
        "track returns while the store is held up: it refuses events that have no room, which are counted and do not come",
        .mayBlock)
    func countsFullQueue() async {
        // 145 MB of events are in memory.
        await #expect(processExitsWith: .success) {
            let rig = Rig(directory: nil, maxMemoryEventBytes: 1_000_000, seed: 1)
            let tracker = try await rig.tracker { $0.tracker?.sessionContext = true }
            let drops = Drops(of: tracker)
            let (isBusy, mayEnd) = (Locked(false), DispatchSemaphore(value: 0))
            let holding = Task {
                await rig.pipeline.run {
                    isBusy.withLock { $0 = true }
                    mayEnd.wait()
                }
            }
            try await waitUntil("the pipeline's thread is held") { isBusy.withLock { $0 } }
            let count = 160
            let refused = (1...count).filter {
                tracker.track(PaddedEvent(action: "\($0)", size: 1 << 20)) == nil
            }
            #expect(refused.count > 3)
            mayEnd.signal()
            await holding.value
            await Self.settle(tracker)
            #expect(tracker.counters.droppedByReason[.queueFull] == refused.count)
            #expect(!drops.reasons.contains(.queueFull))
            // What was taken in is more than the process may keep.
            let dropped = try #require(tracker.counters.droppedByReason[.storeFull])
            let reported = drops.calls.flatMap(\.events).count
            #expect(tracker.counters.unreportedDrops == dropped - reported)
        }
    }

    @Test("events that are in memory only at the shutdown come, and it waits for the closure")
    func waitsAtShutdown() async throws {
        let tracker = try await rig.idleTracker()
        let drops = Drops(of: tracker)
        let (hasBegun, mayEnd) = (Locked(false), DispatchSemaphore(value: 0))
        let order = Locked<[String]>([])
        tracker.onDrop { _, _ in
            hasBegun.withLock { $0 = true }
            mayEnd.wait()
            order.withLock { $0.append("closure") }
        }
        tracker.track(1...3)
        let shutdown = Task {
            await rig.pipeline.shutdown(timeout: .seconds(5))
            order.withLock { $0.append("shutdown") }
        }
        try await waitUntil("the closure has the events") { hasBegun.withLock { $0 } }
        try await waitUntil("the shutdown waits for nothing else") {
            tracker.counters.droppedByReason == [.notStored: 3] && rig.time.pendingSleeps.contains(.milliseconds(5500))
        }
        mayEnd.signal()
        await shutdown.value
        #expect(order.withLock { $0 } == ["closure", "shutdown"])
        #expect(drops.reasons == [.notStored])
        #expect(drops.actions == ["1", "2", "3"])
    }

    @Test("what code asked for does not come")
    func leavesOutTheWanted() async throws {
        let tracker = try await rig.tracker()
        let drops = Drops(of: tracker)
        var plugin = Plugin(name: "filter")
        plugin.filter { _ in false }
        tracker.add(plugin)
        tracker.track(1...1)
        tracker.removePlugin(named: "filter")
        tracker.pause()
        tracker.track(2...2)
        tracker.resume()
        tracker.emitter.pause()
        await tracker.followed()
        tracker.track(3...3)
        #expect(await rig.pipeline.removeUnsentEvents(exceptNamespaces: []) == 1)
        await Self.settle(tracker)
        #expect(tracker.counters.droppedByReason == [.filtered: 1, .paused: 1, .cleared: 1])
        #expect(drops.calls.isEmpty)
    }

    @Test("a closure that hangs holds up neither tracking nor delivery, and what it misses is counted and logged")
    func boundsWaiting() async throws {
        rig.transport.respond { request in
            .success(HTTPTransportResponse(status: request.url.contains("good") ? 200 : 403))
        }
        let slow = try await rig.tracker("slow") {
            $0.emitter?.byteLimitPost = 100_000_000
            $0.emitter?.emitRange = 1
        }
        let other = try await rig.tracker("other") { $0.network?.endpoint = "https://good.example" }
        let isHeld = DispatchSemaphore(value: 0)
        let seen = Locked(0)
        slow.onDrop { events, _ in
            isHeld.wait()
            isHeld.signal()
            seen.withLock { $0 += events.count }
        }
        for number in 1...20 { slow.track(PaddedEvent(action: "\(number)", size: 1_000_000)) }
        await slow.flush(timeout: .seconds(60))
        #expect(slow.counters.droppedByReason == [.rejected: 20])
        other.track(1...3)
        #expect(await other.flush().sent == 3)
        #expect(slow.counters.unreportedDrops == 4)
        #expect(
            rig.log.records.contains { record in
                record.level == .error && record.namespace == "slow"
                    && record.message == "1 dropped events were not passed to onDrop, because its closure is too slow"
            })
        #expect(seen.withLock { $0 } == 0)
        isHeld.signal()
        await slow.namespaceEmitter.waitForDropActions()
        #expect(seen.withLock { $0 } == 16)
    }

    @Test("closures end with their tracker")
    func endsWithTracker() async throws {
        rig.transport.respond(statuses(403))
        let first = try await rig.tracker()
        let drops = Drops(of: first)
        first.track(1...1)
        await first.flush()
        await Self.settle(first)
        #expect(drops.actions == ["1"])
        await first.shutdown()
        first.onDrop { _, _ in Issue.record("the closure of a tracker that ended") }
        let second = try await rig.tracker()
        second.track(2...2)
        await second.flush()
        await Self.settle(second)
        #expect(drops.actions == ["1"])
        #expect(second.counters.dropped == 2)
    }

    @Test("a first loss is logged with the response's status and the first line of its body")
    func logsResponses() async throws {
        let body = "forbidden:\tno \"agent\"\nsecond line" + String(repeating: "y", count: 300)
        rig.transport.respond { _ in .success(HTTPTransportResponse(status: 403, body: Array(body.utf8))) }
        let tracker = try await rig.tracker { $0.tracker = nil }
        tracker.track(1...2)
        await tracker.flush()
        let errors = rig.log.records.filter { $0.level == .error }.map(\.message)
        #expect(
            errors == [
                #"2 events were dropped (rejected): the collector answered 403: 'forbidden:\tno "agent"'"#
            ])
        let long = String(repeating: "z", count: 300)
        rig.transport.respond { _ in .success(HTTPTransportResponse(status: 400, body: Array(long.utf8))) }
        rig.time.advance(by: .seconds(60))
        tracker.track(3...3)
        await tracker.flush()
        let last = rig.log.records.last { $0.level == .error }?.message
        #expect(last?.hasSuffix("answered 400: '\(String(repeating: "z", count: 200))…'") == true)
    }
}

extension EventPipeline {
    /// Runs a closure on the pipeline's own thread.
    fileprivate func run(_ body: @Sendable () -> Void) { body() }
}
