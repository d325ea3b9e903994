import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("events that earlier processes left are counted step by step", .endsWhenItHangs)
struct CountingTests {
    private let directory = TemporaryDirectory()

    /// Leaves ten events, and opens their store in a process that counts three at a time.
    private func storage() async throws -> EventStorage {
        try await Rig.leave(1...10, in: directory, seed: 1)
        let storage = EventStorage.open(in: directory.path, [])
        storage.rowsPerCount = 3
        storage.add(["ns"]) { _ in nil }
        return storage
    }

    /// The numbers of found events among the changes since the last call.
    private func found(_ storage: EventStorage) -> [Int] {
        storage.takeChanges().compactMap { if case .found(let count) = $0.change { count } else { nil } }
    }

    private func load(_ count: Int, from storage: EventStorage, except: Set<Int64> = []) throws -> [StoredEvent] {
        let limit = EventAmount(events: count, bytes: .max)
        guard case .events(let events, _) = storage.load(0, limit: limit, except: except) else {
            throw CocoaError(.fileReadUnknown)
        }
        return events
    }

    @Test("first a step, then the others one by one, and each event once")
    func countsInSteps() async throws {
        let storage = try await storage()
        #expect(storage.amount(of: 0).events == 3)
        var steps = [found(storage)]
        while storage.countMore() { steps.append(found(storage)) }
        #expect(steps == [[3], [3], [3], [1]])
        #expect(storage.amount(of: 0).events == 10)
        #expect(storage.amount(of: 0).bytes == (try load(10, from: storage).reduce(0) { $0 + $1.payload.count }))
    }

    @Test("loaded events are counted, and one more while there are more", arguments: [3, 4, 10])
    func countsAhead(count: Int) async throws {
        let storage = try await storage()
        let events = try load(count, from: storage)
        #expect(events.count == count)
        #expect(storage.amount(of: 0).events > count || count == 10)
        storage.remove(events, of: 0)
        while storage.countMore() {}
        #expect(storage.amount(of: 0).events == 10 - count)
        #expect(found(storage).reduce(0, +) == 10)
    }

    @Test("events on disk that are loaded together with newer ones from memory are counted")
    func countsBeforeMemory() async throws {
        let storage = try await storage()
        let first = try load(5, from: storage)
        var batch = EventBatch()
        Array("{}".utf8).withUnsafeBytes { batch.append($0, namespace: 0, isAnonymous: false, time: 0) }
        storage.memory.append(batch, keys: { _ in storage.partitions[0].memoryKey }, isSynced: false)
        storage.adopt(EventAmount(events: 1, bytes: batch.size), of: "ns")
        let rest = try load(100, from: storage, except: Set(first.map(\.id)))
        #expect(rest.count == 6)
        storage.remove(rest, of: 0)
        while storage.countMore() {}
        #expect(storage.amount(of: 0).events == 5)
    }

    @Test("bounds, removal and damage are about all events, and not about those that are counted alone")
    func concernsAll() async throws {
        let bounded = try await storage()
        bounded.enforceBounds(0, by: EmitterConfiguration { $0.maxEventStoreSize = 2 })
        #expect(bounded.amount(of: 0).events == 2)
        #expect(try load(10, from: bounded).count == 2)
        #expect(found(bounded).reduce(0, +) == 10)
        bounded.release(0)
        #expect(bounded.clear(0) == 2)
        bounded.close()
        let cleared = try await storage()
        #expect(cleared.drop(.trackedBefore(0), of: 0, .expired) == 0)
        #expect(cleared.amount(of: 0).events == 3)
        #expect(cleared.clear(0) == 10)
        #expect(cleared.amount(of: 0) == .zero && !cleared.countMore())
        cleared.close()
        let damaged = try await storage()
        #expect(damaged.replaceDamagedDisk())
        #expect(found(damaged).reduce(0, +) == 10)
        #expect(damaged.amount(of: 0).events == 10 && !damaged.countMore())
    }

    @Test("a process sends all, those that it has not counted yet too")
    func sendsAll() async throws {
        try await Rig.leave(1...30, in: directory, seed: 1)
        let rig = Rig(stateDirectory: directory.path, seed: 2)
        await rig.pipeline.count(rows: 3)
        let tracker = try await rig.tracker { $0.emitter?.emitRange = 5 }
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions == texts(1...30))
        #expect(tracker.counters.addUp(recovered: 30) && tracker.counters.stored == 0)
    }
}

extension EventPipeline {
    /// Sets how many rows are counted at a time.
    fileprivate func count(rows: Int) { storage.rowsPerCount = rows }
}
