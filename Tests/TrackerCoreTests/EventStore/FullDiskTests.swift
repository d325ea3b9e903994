import Foundation
import TestSupport
import Testing

@testable import TrackerCore

/// A store that another one backs and that can be told to fail as a full disk does.
private final class FullStore: EventStore {
    let base = MemoryEventStore()

    private func fail() -> EventStoreError { EventStoreError(code: .full, reason: "the test's disk is full") }

    func key(of namespace: String) throws(EventStoreError) -> Int64 { base.key(of: namespace) }
    func append(_ batch: EventBatch, keys: [Int64], isSynced: Bool) throws(EventStoreError) { throw fail() }
    func events(
        of key: Int64, limit: EventAmount, except excluded: Set<Int64>
    ) throws(EventStoreError) -> StoredEvents {
        base.events(of: key, limit: limit, except: excluded)
    }
    func remove(_ ids: [Int64], of key: Int64) throws(EventStoreError) -> Int { throw fail() }
    func amount(of key: Int64) throws(EventStoreError) -> EventAmount { base.amount(of: key) }
    func removeOldest(
        _ amount: EventAmount, of key: Int64, after id: Int64
    ) throws(EventStoreError) -> EventAmount {
        throw fail()
    }
    func removeEvents(
        of key: Int64, after id: Int64, trackedBefore time: Int64
    ) throws(EventStoreError) -> EventAmount {
        throw fail()
    }
    func namespaces() throws(EventStoreError) -> [String] { base.namespaces() }
    func oldestTime(of key: Int64) throws(EventStoreError) -> Int64? { nil }
    func sessions() throws(EventStoreError) -> [(namespace: String, record: SessionRecord?)] { [] }
    func save(_ session: SessionRecord, of key: Int64) throws(EventStoreError) { throw fail() }
    func close() {}
}

/// A store that does what a test says and fails where the test wants it to.
private final class FragileStore: EventStore, @unchecked Sendable {
    let base = MemoryEventStore()
    /// Whether the next appends work, one each; all later ones do.
    var appends: [Bool] = []
    var removes = true

    private func fail() -> EventStoreError { EventStoreError(code: .full, reason: "the test's disk is full") }

    func key(of namespace: String) throws(EventStoreError) -> Int64 { base.key(of: namespace) }
    func append(_ batch: EventBatch, keys: [Int64], isSynced: Bool) throws(EventStoreError) {
        if !appends.isEmpty, !appends.removeFirst() { throw fail() }
        base.append(batch, keys: keys, isSynced: isSynced)
    }
    func events(
        of key: Int64, limit: EventAmount, except excluded: Set<Int64>
    ) throws(EventStoreError) -> StoredEvents {
        base.events(of: key, limit: limit, except: excluded)
    }
    func remove(_ ids: [Int64], of key: Int64) throws(EventStoreError) -> Int {
        if !removes { throw fail() }
        return base.remove(ids, of: key)
    }
    func amount(of key: Int64) throws(EventStoreError) -> EventAmount { base.amount(of: key) }
    func removeOldest(
        _ amount: EventAmount, of key: Int64, after id: Int64
    ) throws(EventStoreError) -> EventAmount {
        if !removes { throw fail() }
        return base.removeOldest(amount, of: key, after: id)
    }
    func oldestTime(of key: Int64) throws(EventStoreError) -> Int64? { base.oldestTime(of: key) }
    func removeEvents(
        of key: Int64, after id: Int64, trackedBefore time: Int64
    ) throws(EventStoreError) -> EventAmount {
        if !removes { throw fail() }
        return base.removeEvents(of: key, after: id, trackedBefore: time)
    }
    func namespaces() throws(EventStoreError) -> [String] { base.namespaces() }
    func sessions() throws(EventStoreError) -> [(namespace: String, record: SessionRecord?)] { [] }
    func save(_ session: SessionRecord, of key: Int64) throws(EventStoreError) {}
    func close() {}
}

extension EventPipeline {
    fileprivate func useFullStore() { store = FullStore() }

    fileprivate func useStore(_ store: FragileStore) { self.store = store }

    fileprivate func queued(_ tracker: Tracker) -> Int { lanes[tracker.outbox.number].queued }

    /// Returns when the pass that is under way has ended.
    fileprivate func passed(_ tracker: Tracker) async { await lanes[tracker.outbox.number].pass?.value }

    fileprivate var inMemory: Int { lanes.reduce(0) { $0 + overflow.amount(of: $1.overflowKey).events } }
}

@Suite("a full disk", .endsWhenItHangs)
struct FullDiskTests {
    @Test("a store that can do nothing: memory keeps as many events as fit, and all of them are sent")
    func boundsMemory() async throws {
        let rig = Rig()
        await rig.pipeline.useFullStore()
        let tracker = try await rig.tracker { $0.emitter?.maxEventStoreSize = 5 }
        tracker.emitter.pause()
        await tracker.followed()
        tracker.track(1...8)
        let counters = await tracker.settledCounters()
        #expect(counters.stored == 5)
        #expect(counters.droppedByReason == [.storeFull: 3])
        tracker.emitter.resume()
        await tracker.flush()
        #expect(rig.actions == ["4", "5", "6", "7", "8"])
        #expect(tracker.counters.addUp)
    }

    @Test("a disk with room for a new event but not for those in memory doubles none of them")
    func nearlyFull() async throws {
        let rig = Rig()
        let store = FragileStore()
        await rig.pipeline.useStore(store)
        let tracker = try await rig.tracker()
        tracker.emitter.pause()
        await tracker.followed()
        store.appends = [false, true, false]
        for number in 1...2 {
            tracker.track(number...number)
            _ = await tracker.settledCounters()
        }
        #expect(await rig.pipeline.inMemory == 1)
        tracker.track(3...3)
        _ = await tracker.settledCounters()
        #expect(await rig.pipeline.inMemory == 0)
        #expect(rig.log.records.count { $0.message == "the event store works again" } == 1)
        tracker.emitter.resume()
        await tracker.followed()
        await rig.transport.waitForRequests(1)
        #expect(rig.actions.sorted() == ["1", "2", "3"])
    }

    @Test("sent events that could not be removed are not counted again when the bounds remove them")
    func undeletable() async throws {
        let rig = Rig()
        let store = FragileStore()
        await rig.pipeline.useStore(store)
        let tracker = try await rig.tracker { $0.emitter?.maxEventStoreSize = 5 }
        store.removes = false
        tracker.track(1...4)
        await tracker.flush()
        tracker.emitter.pause()
        await tracker.followed()
        store.removes = true
        tracker.track(11...18)
        let counters = await tracker.settledCounters()
        #expect(counters.droppedByReason == [.storeFull: 3])
        #expect(counters.sent == 4)
        tracker.emitter.resume()
        await tracker.followed()
        await rig.transport.waitForRequests(2)
        #expect(rig.actions == ["1", "2", "3", "4", "14", "15", "16", "17", "18"])
        await rig.pipeline.passed(tracker)
        #expect(await rig.pipeline.queued(tracker) == 0)
        #expect(tracker.counters.addUp)
    }

    @Test(
        "on a real full disk events go to memory up to the bound, are sent, and trackCommitted says so",
        .enabled(if: Tmpfs.isAllowed, "no mount here"))
    func tinyDisk() async throws {
        let disk = try Tmpfs(kilobytes: 256)
        let rig = Rig(stateDirectory: disk.path)
        let tracker = try await rig.tracker {
            $0.emitter?.maxEventStoreSize = 50
            $0.emitter?.byteLimitPost = 100_000_000
        }
        #expect(rig.pipeline.warnings.isEmpty)
        tracker.emitter.pause()
        await tracker.followed()
        let filler = String(repeating: "x", count: 20_000)
        var isFull = false
        for number in 1...100 {
            do {
                try await tracker.trackCommitted(Structured(category: filler, action: "\(number)"))
                #expect(!isFull)
            } catch {
                guard case .notDurable(let reason) = error.code else {
                    Issue.record("the wrong error: \(error)")
                    return
                }
                #expect([.full, .failed].contains(reason.code))
                isFull = true
            }
        }
        #expect(isFull)
        var counters = await tracker.settledCounters()
        #expect(counters.stored == 50)
        #expect(counters.droppedByReason == [.storeFull: 50])
        tracker.emitter.resume()
        await tracker.flush()
        counters = tracker.counters
        #expect(counters.sent == 50)
        #expect(counters.addUp)
        #expect(Set(rig.actions).count == 50)
        #expect(rig.actions.last == "100")
    }

    @Test(
        "a disk that cannot be written keeps events in memory, with a warning",
        .enabled(if: Tmpfs.isAllowed, "no mount here"))
    func readOnlyDisk() async throws {
        let disk = try Tmpfs(kilobytes: 256)
        try disk.makeReadOnly()
        let rig = Rig(stateDirectory: disk.path)
        #expect(rig.pipeline.warnings.count == 1)
        let tracker = try await rig.tracker()
        tracker.track(1...2)
        #expect(await tracker.flush().sent == 2)
    }
}
