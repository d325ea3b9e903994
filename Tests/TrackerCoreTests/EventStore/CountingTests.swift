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
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        tracker.track(1...10)
        await rig.pipeline.shutdown(timeout: .zero)
        let storage = EventStorage(
            directory: StateDirectory(path: directory.path, service: "tests"), namespaces: nil, deadLetters: .off,
            time: rig.time, log: Log(nil, level: .off))
        storage.rowsPerCount = 3
        storage.add(["ns"]) { _ in nil }
        return storage
    }

    /// The numbers of found events among the changes since the last call.
    private func found(_ storage: EventStorage) -> [Int] {
        storage.takeChanges().compactMap { if case .found(let count) = $0.change { count } else { nil } }
    }

    private func load(_ count: Int, from storage: EventStorage) throws -> [StoredEvent] {
        guard case .events(let events, _) = storage.load(0, limit: EventAmount(events: count, bytes: .max)) else {
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
        let payloads = try load(10, from: storage).map(\.payload.count)
        #expect(storage.amount(of: 0).bytes == payloads.reduce(0, +))
    }

    @Test("loaded events are counted, and one more while there are more", arguments: [1, 3, 4, 9, 10])
    func countsAhead(count: Int) async throws {
        let storage = try await storage()
        let events = try load(count, from: storage)
        #expect(events.count == count)
        #expect(storage.amount(of: 0).events > count || count == 10)
        storage.remove(events, of: 0)
        while storage.countMore() {}
        #expect(storage.amount(of: 0).events == 10 - count)
        #expect(found(storage).reduce(0, +) == 10)
        let rest = try load(10, from: storage)
        #expect(storage.amount(of: 0).bytes == rest.reduce(0) { $0 + $1.payload.count })
    }

    @Test("events on disk that are loaded together with newer ones from memory are counted", arguments: [1, 5, 9])
    func countsBeforeMemory(inFlight: Int) async throws {
        let storage = try await storage()
        let first = try load(inFlight, from: storage)
        var batch = EventBatch()
        Array("{}".utf8).withUnsafeBytes { batch.append($0, namespace: 0, isAnonymous: false, time: 0) }
        storage.memory.append(batch, keys: { _ in storage.partitions[0].memoryKey }, isSynced: false)
        storage.adopt(EventAmount(events: 1, bytes: batch.size), of: "ns")
        let limit = EventAmount(events: 100, bytes: .max)
        guard case .events(let rest, _) = storage.load(0, limit: limit, except: Set(first.map(\.id))) else {
            throw CocoaError(.fileReadUnknown)
        }
        #expect(rest.count == 11 - inFlight)
        storage.remove(rest, of: 0)
        while storage.countMore() {}
        #expect(storage.amount(of: 0).events == inFlight)
    }

    @Test("bounds are enforced for all events, and not for those that are counted alone")
    func enforcesBounds() async throws {
        let storage = try await storage()
        storage.enforceBounds(0, by: EmitterConfiguration { $0.maxEventStoreSize = 2 })
        #expect(storage.amount(of: 0).events == 2)
        #expect(try load(10, from: storage).count == 2)
        #expect(found(storage).reduce(0, +) == 10)
    }

    @Test("events that are too old are dropped, whether they are counted or not")
    func letsExpire() async throws {
        let storage = try await storage()
        #expect(storage.drop(.trackedBefore(0), of: 0, .expired) == 0)
        #expect(storage.amount(of: 0).events == 3)
        #expect(storage.clear(0) == 10)
        #expect(storage.amount(of: 0) == .zero)
        #expect(!storage.countMore())
    }

    @Test("what a damaged store held is found once, as far as it can be read")
    func replacesDamaged() async throws {
        let storage = try await storage()
        #expect(storage.replaceDamagedDisk())
        #expect(found(storage).reduce(0, +) == 10)
        #expect(storage.amount(of: 0).events == 10)
        #expect(!storage.countMore())
    }

    @Test("a process sends all, those that it has not counted yet too")
    func sendsAll() async throws {
        let first = Rig(stateDirectory: directory.path)
        let tracker = try await first.idleTracker()
        for number in 1...12_000 { tracker.track(number...number) }
        await first.pipeline.shutdown(timeout: .zero)
        let rig = Rig(stateDirectory: directory.path, seed: 2)
        let next = try await rig.tracker { $0.emitter?.emitRange = 5000 }
        await next.flush(timeout: .seconds(60))
        #expect(Set(rig.actions).count == 12_000)
        #expect(next.counters.sent == 12_000)
        #expect(next.counters.addUp(recovered: 12_000) && next.counters.stored == 0)
    }
}
