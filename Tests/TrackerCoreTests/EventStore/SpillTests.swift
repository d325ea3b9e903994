import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

/// Events stay in memory and in the staging file, and go to the database only if they are not sent soon.
@Suite("Spilling of events into the database")
struct SpillTests {
    private let directory = TemporaryDirectory()

    private var store: StoreFiles { StoreFiles(directory: directory) }

    /// What the next process sends after a kill at this moment.
    private func sentAfterKill() async throws -> [String] {
        let copy = try store.copy()
        let rig = Rig(stateDirectory: copy.path, seed: 9)
        let tracker = try await rig.tracker()
        await rig.pipeline.tend()
        await tracker.flush(timeout: .seconds(60))
        return rig.actions
    }

    @Test("while the collector takes events, nothing is committed")
    func commitsNothing() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.tracker()
        let before = try await rig.pipeline.databaseChanges()
        for round in 0..<20 {
            tracker.track(round * 50...round * 50 + 49)
            await tracker.flush(timeout: .seconds(60))
            rig.time.advance(by: .milliseconds(900))
        }
        #expect(rig.actions.count == 1000)
        #expect(try await rig.pipeline.databaseChanges() == before)
        #expect(tracker.counters.addUp)
        #expect(try await sentAfterKill() == [])
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
        #expect(try await sentAfterKill() == ["5", "6", "7", "8"])
        rig.transport.release()
        held.answer(200)
        _ = await flush.value
        #expect(try await sentAfterKill() == [])
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
        #expect(try await sentAfterKill() == ["1", "2", "3"])
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(try store.count() == 0)
        rig.transport.hold()
        tracker.track(4...5)
        let flush = Task { await tracker.flush(timeout: .seconds(60)) }
        let held = await rig.transport.next()
        for _ in 0..<3 { await rig.pipeline.lookForOldEvents() }
        #expect(try store.count() == 0)
        rig.transport.release()
        held.answer(200)
        _ = await flush.value
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
        // The back-off, if there is one.
        while !isDone.withLock({ $0 }) {
            rig.time.advance(by: .seconds(1))
            await Task.yield()
        }
        await flush.value
        #expect(rig.actions == (status == 200 ? [] : ["1", "2"]) + (1...6).map(String.init))
        #expect(try store.count() == 0)
        #expect(tracker.counters.addUp)
        #expect(try await sentAfterKill() == [])
    }

    @Test("an event that delivery has set aside is known by its id after it was spilled")
    func followsSetAside() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        tracker.track(1...3)
        await rig.pipeline.drain()
        let ids = await rig.pipeline.load()
        await rig.pipeline.spill()
        #expect(try store.count() == 3)
        #expect(await rig.pipeline.load(except: [ids[1]]).count == 2)
        #expect(await rig.pipeline.load(except: [ids[1]], single: ids[1]) == [ids[1]])
        await rig.pipeline.remove(ids[1])
        #expect(try store.payloads().map { $0.contains("\"se_ac\":\"2\"") } == [false, false])
        #expect(await rig.pipeline.load(except: [ids[1]], single: ids[1]) == [])
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

    /// Loads events of the first namespace, as delivery does.
    fileprivate func load(except excluded: Set<Int64> = [], single: Int64? = nil) -> [Int64] {
        let limit = EventAmount(events: 10, bytes: .max)
        guard case .events(let events, _) = storage.load(0, limit: limit, except: excluded, single: single) else {
            return []
        }
        storage.release(0)
        return events.map(\.id)
    }

    /// Removes an event of the first namespace, as delivery does.
    fileprivate func remove(_ id: Int64) {
        storage.remove([StoredEvent(id: id, isAnonymous: false, payload: [])], of: 0)
    }
}
