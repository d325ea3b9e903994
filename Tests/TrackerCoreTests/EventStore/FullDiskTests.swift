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
    func events(of key: Int64, limit: Int) throws(EventStoreError) -> [StoredEvent] {
        base.events(of: key, limit: limit)
    }
    func remove(_ ids: [Int64]) throws(EventStoreError) -> Int { throw fail() }
    func count(of key: Int64) throws(EventStoreError) -> Int { base.count(of: key) }
    func removeOldest(_ count: Int, of key: Int64, after id: Int64) throws(EventStoreError) -> Int { throw fail() }
    func removeEvents(of key: Int64, after id: Int64, trackedBefore time: Int64) throws(EventStoreError) -> Int {
        throw fail()
    }
    func namespaces() throws(EventStoreError) -> [String] { base.namespaces() }
    func oldestTime(of key: Int64) throws(EventStoreError) -> Int64? { nil }
    func sessions() throws(EventStoreError) -> [String: SessionRecord] { [:] }
    func save(_ session: SessionRecord, of key: Int64) throws(EventStoreError) { throw fail() }
    func close() {}
}

extension EventPipeline {
    fileprivate func useFullStore() { store = FullStore() }
}

@Suite("a full disk", .timeLimit(.minutes(1)))
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

    @Test("on a real full disk events go to memory up to the bound, are sent, and trackCommitted says so")
    func tinyDisk() async throws {
        let directory = TemporaryDirectory()
        guard mount("none", directory.path, "tmpfs", 0, "size=256k") == 0 else {
            withKnownIssue("tmpfs cannot be mounted here: \(String(cString: strerror(errno)))") {
                Issue.record("skipped")
            }
            return
        }
        defer { umount2(directory.path, Int32(MNT_DETACH)) }
        let rig = Rig(stateDirectory: directory.path)
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

    @Test("a disk that cannot be written keeps events in memory, with a warning")
    func readOnlyDisk() async throws {
        let directory = TemporaryDirectory()
        guard mount("none", directory.path, "tmpfs", UInt(MS_RDONLY), "size=256k") == 0 else {
            withKnownIssue("tmpfs cannot be mounted here: \(String(cString: strerror(errno)))") {
                Issue.record("skipped")
            }
            return
        }
        defer { umount2(directory.path, Int32(MNT_DETACH)) }
        let rig = Rig(stateDirectory: directory.path)
        #expect(rig.pipeline.warnings.count == 1)
        let tracker = try await rig.tracker()
        tracker.track(1...2)
        #expect(await tracker.flush().sent == 2)
    }
}
