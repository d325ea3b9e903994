import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

/// Events stay in memory and in the staging file, and go to the database only if they are not sent soon.
@Suite("Spilling of events into the database", .endsWhenItHangs)
struct SpillTests {
    private let directory = TemporaryDirectory()

    private var store: StoreFiles { StoreFiles(directory: directory) }

    /// Tracks events, and lets their request wait for its answer.
    private func send(
        _ numbers: ClosedRange<Int>, _ tracker: Tracker, _ rig: Rig
    ) async -> (flush: Task<Void, Never>, held: ScriptedTransport.Held) {
        rig.transport.hold()
        tracker.track(numbers)
        await rig.pipeline.drain()
        let flush = Task { _ = await tracker.flush(timeout: .seconds(60)) }
        return (flush, await rig.transport.next())
    }

    @Test("while the collector takes events, nothing is committed")
    func commitsNothing() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.tracker()
        let before = try await rig.pipeline.databaseChanges()
        for round in 0..<6 {
            tracker.track(round * 20...round * 20 + 19)
            await tracker.flush(timeout: .seconds(60))
            rig.time.advance(by: .milliseconds(900))
        }
        #expect(rig.actions.count == 120)
        #expect(try await rig.pipeline.databaseChanges() == before)
        #expect(tracker.counters.addUp)
        #expect(try await store.sentAfterKill() == [])
    }

    @Test("a kill repeats what was in flight, and nothing that was sent")
    func marksSent() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.tracker { $0.emitter?.emitRange = 2 }
        tracker.track(1...2)
        await tracker.flush(timeout: .seconds(60))
        rig.transport.hold()
        tracker.track(3...8)
        await rig.pipeline.drain()
        let flush = Task { await tracker.flush(timeout: .seconds(60)) }
        var held = await rig.transport.next()
        held.answer(200)
        held = await rig.transport.next()
        #expect(try await store.sentAfterKill() == ["5", "6", "7", "8"])
        rig.transport.release()
        held.answer(200)
        _ = await flush.value
        #expect(try await store.sentAfterKill() == [])
        #expect(tracker.counters.addUp)
    }

    @Test("events that wait for a second or two are spilled, those that are being sent are not")
    func spillsOld() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        tracker.track(1...3)
        await rig.pipeline.drain()
        #expect(try store.count() == 0)
        for _ in 0..<2 { await rig.pipeline.lookForOldEvents() }
        #expect(try store.count() == 3)
        #expect(try await store.sentAfterKill() == ["1", "2", "3"])
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(try store.count() == 0)
        let (flush, held) = await send(4...5, tracker, rig)
        for _ in 0..<3 { await rig.pipeline.lookForOldEvents() }
        #expect(try store.count() == 0)
        rig.transport.release()
        held.answer(200)
        await flush.value
        #expect(rig.actions == ["1", "2", "3", "4", "5"])
    }

    @Test(
        "the answer for events that were spilled while they were sent removes them, and no others",
        arguments: [200, 500])
    func followsSpilled(status: Int) async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.tracker { $0.emitter?.emitRange = 2 }
        rig.transport.hold()
        tracker.track(1...5)
        await rig.pipeline.drain()
        let isDone = Locked(false)
        let flush = Task {
            _ = await tracker.flush(timeout: .seconds(1_000_000))
            _ = isDone.exchange(true)
        }
        let held = await rig.transport.next()
        await rig.pipeline.spill()
        #expect(try store.count() == 5)
        rig.transport.release()
        tracker.track(6...6)
        held.answer(status)
        try await waitUntil("the flush has ended") {
            // The back-off, if there is one.
            rig.time.advance(by: .seconds(1))
            return isDone.withLock { $0 }
        }
        await flush.value
        // The first may have begun before the last event.
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions == (status == 200 ? [] : ["1", "2"]) + texts(1...6))
        #expect(try store.count() == 0)
        #expect(tracker.counters.addUp)
        #expect(try await store.sentAfterKill() == [])
    }

    @Test(
        "an event that the collector refused alone is sent once it takes it, from the database or from the one in its place",
        arguments: [false, true])
    func followsSetAside(isReplaced: Bool) async throws {
        let rig = Rig(stateDirectory: directory.path)
        rig.transport.respond { .success(HTTPTransportResponse(status: ($0.body?.count ?? 0) > 5_000 ? 413 : 200)) }
        let tracker = try await rig.idleTracker()
        tracker.track(1...1)
        tracker.track(PaddedEvent(action: "large", size: 10_000))
        tracker.track(2...2)
        tracker.emitter.resume()
        let flush = Task { _ = await tracker.flush(timeout: .seconds(1_000_000)) }
        try await waitUntil("the other events are sent") { tracker.counters.sent == 2 }
        await rig.pipeline.spill()
        if isReplaced { #expect(await rig.pipeline.replaceDamagedDisk()) }
        #expect(try store.count() == 1)
        rig.transport.respond { _ in .success(HTTPTransportResponse(status: 200)) }
        try await waitUntil("the refused event is sent") {
            rig.time.advance(by: .seconds(1))
            return tracker.counters.sent == 3
        }
        await flush.value
        #expect(tracker.counters.addUp && tracker.counters.stored == 0)
        #expect(try await store.sentAfterKill() == [])
    }

    @Test("a new session is on disk with the first of its events, and its numbers a second later")
    func storesSessions() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.tracker { $0.tracker?.sessionContext = true }
        tracker.track(1...1)
        await rig.pipeline.drain()
        func eventIndex() async throws -> Int? {
            let copy = try store.copy()
            let next = Rig(stateDirectory: copy.path, seed: 9)
            return next.pipeline.savedSessions[exactly: "ns"]?.eventIndex
        }
        #expect(try await eventIndex() == 1)
        tracker.track(2...4)
        await rig.pipeline.drain()
        #expect(try await eventIndex() == 1)
        await rig.pipeline.lookForOldEvents()
        #expect(try await eventIndex() == 4)
        // The events stay where they are.
        #expect(try store.count() == 1)
    }

    @Test("what would be too much for the memory goes to the disk without a stop there", arguments: [true, false])
    func passesMemoryBy(isDiskWorking: Bool) async throws {
        let rig = Rig(
            directory: StateDirectory(path: directory.path, service: "tests"), maxMemoryEventBytes: 1_000_000, seed: 1)
        let tracker = try await rig.idleTracker()
        tracker.track(1...2)
        await rig.pipeline.drain()
        if !isDiskWorking { try await rig.pipeline.setReadOnly(true) }
        let greatest = await rig.pipeline.trackAtOnce(40, of: 50_000, tracker)
        if isDiskWorking {
            #expect(greatest == 0)
            #expect(try store.count() == 42)
            #expect(tracker.counters.stored == 42)
        } else {
            #expect(500_000...1_000_000 ~= greatest)
            #expect(try store.count() == 0)
            #expect(tracker.counters.droppedByReason.keys.elementsEqual([.storeFull]))
        }
        #expect(tracker.counters.addUp)
        try await rig.pipeline.setReadOnly(false)
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        let all = ["1", "2"] + (0..<40).map { "padded \($0)" }
        #expect(rig.actions == (isDiskWorking ? all : all.suffix(rig.actions.count)))
        #expect(tracker.counters.addUp)
    }

    @Test("a commit that succeeds ends the pause after one that failed")
    func endsPause() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        try await rig.pipeline.setReadOnly(true)
        tracker.track(1...1)
        await rig.pipeline.spill()
        try await rig.pipeline.setReadOnly(false)
        try await tracker.trackCommitted(Structured(category: "c", action: "2"))
        #expect(try store.count() == 2)
        tracker.track(3...3)
        await rig.pipeline.drain()
        for _ in 0..<2 { await rig.pipeline.lookForOldEvents() }
        #expect(try store.count() == 3)
    }

    @Test("if the staging file vanishes while events are in flight, they are in the database afterwards")
    func spillsVanished() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.tracker()
        let (flush, held) = await send(1...3, tracker, rig)
        unlink(directory.file("events-0.staging"))
        await rig.pipeline.tend()
        #expect(try await store.sentAfterKill() == ["1", "2", "3"])
        rig.transport.release()
        held.answer(200)
        await flush.value
        #expect(rig.actions == ["1", "2", "3"])
        #expect(try await store.sentAfterKill() == [])
    }

    @Test("if the database and its lock vanish and the staging file does not, a kill repeats nothing")
    func keepsOwnRecords() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        tracker.track(1...3)
        await rig.pipeline.drain()
        for name in directory.names where name.hasPrefix("events-0.sqlite") || name.hasSuffix(".lock") {
            unlink(directory.file(name))
        }
        try await tracker.trackCommitted(Structured(category: "c", action: "4"))
        #expect(try await store.sentAfterKill() == ["1", "2", "3", "4"])
        #expect(tracker.counters.stored == 4)
        await rig.pipeline.tend()
        #expect(tracker.counters.stored == 4)
        #expect(tracker.counters.addUp)
    }

    @Test("what came to the disk while events in memory were being sent can be removed")
    func removesBesideMemory() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.tracker()
        let (flush, held) = await send(1...2, tracker, rig)
        try await Rig.leave(11...13, in: directory, seed: 2)
        await rig.pipeline.adoptAbandonedStores()
        #expect(tracker.counters.stored == 5)
        #expect(await rig.pipeline.removeUnsentEvents(exceptNamespaces: []) == 3)
        rig.transport.release()
        held.answer(200)
        await flush.value
        #expect(rig.actions == ["1", "2"])
        #expect(tracker.counters.addUp(recovered: 3))
    }
}

extension EventPipeline {
    /// How many rows the connection to the database has changed.
    fileprivate func databaseChanges() throws -> Int64? {
        try storage.disk?.database.prepare("SELECT total_changes()").number()
    }

    /// What the pipeline does each second.
    fileprivate func lookForOldEvents() {
        storage.spillOld()
        applyChanges()
    }

    /// Tracks events without a turn of the pipeline's thread between them.
    /// - Returns: The bytes of events in memory after it.
    fileprivate func trackAtOnce(_ count: Int, of size: Int, _ tracker: Tracker) -> Int {
        for number in 0..<count { tracker.track(PaddedEvent(action: "padded \(number)", size: size)) }
        drain()
        return storage.memory.bytes
    }
}
