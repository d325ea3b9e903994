import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

extension EventPipeline {
    fileprivate func queued(_ tracker: Tracker) -> Int { storage.amount(of: tracker.namespaceEmitter.index).events }

    /// The number of events of the session of each namespace, as the disk has it.
    fileprivate var storedSessions: [String: Int] {
        get throws {
            let sessions = try storage.disk?.sessions() ?? []
            return Dictionary(uniqueKeysWithValues: sessions.map { ($0.namespace, $0.record?.eventIndex ?? 0) })
        }
    }

    fileprivate var inMemory: Int {
        storage.partitions.reduce(0) { $0 + storage.memory.amount(of: $1.memoryKey).events }
    }
}

@Suite("a full disk", .endsWhenItHangs)
struct FullDiskTests {
    private let directory = TemporaryDirectory()

    @Test("a store that can do nothing: memory keeps as many events as fit, and all of them are sent")
    func boundsMemory() async throws {
        let rig = Rig(stateDirectory: directory.path)
        try await rig.pipeline.fail("INSERT ON events", "DELETE ON events")
        let tracker = try await rig.idleTracker { $0.emitter?.maxEventStoreSize = 5 }
        #expect(await tracker.status.storeCapacityBytes == 512 << 20)
        tracker.track(1...8)
        let counters = await tracker.storedCounters()
        let status = await tracker.status
        #expect((status.storeCapacityBytes, status.storeCapacityEvents) == (EventStorage.defaultMemoryBytes, 5))
        #expect(counters.stored == 5)
        #expect(counters.droppedByReason == [.storeFull: 3])
        tracker.emitter.resume()
        await tracker.flush()
        #expect(rig.actions == ["4", "5", "6", "7", "8"])
        #expect(tracker.counters.addUp)
    }

    @Test("a disk that refuses even empty commits: only what had no room in the staging file is lost, and counted")
    func refusesEmptyCommits() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker {
            $0.emitter?.maxEventStoreSize = nil
            // More than a staging file has room for that does not grow, and not enough for one that does.
            $0.emitter?.maxEventStoreBytes = 8_900_000
        }
        try await rig.pipeline.setReadOnly(true)
        var number = 0
        while rig.pipeline.unstagedEvents < 5, number < 50 {
            number += 1
            tracker.track(PaddedEvent(action: "\(number)", size: 400_000))
            _ = await tracker.storedCounters()
        }
        let report = await rig.pipeline.shutdown(timeout: .zero)
        #expect(report.stored == number - 5)
        #expect(report.dropped == 5)
        let next = Rig(stateDirectory: directory.path, seed: 3)
        let other = try await next.tracker()
        await next.pipeline.tend()
        await other.flush(timeout: .seconds(60))
        #expect(next.actions.count == number - 5)
    }

    @Test("a disk with room for a new event but not for those in memory doubles none of them")
    func nearlyFull() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        try await rig.pipeline.fail(
            "INSERT ON events WHEN instr(CAST(new.payload AS TEXT), '\"se_ac\":\"1\"') > 0")
        for number in 1...2 {
            tracker.track(number...number)
            _ = await tracker.storedCounters()
        }
        // The second one waits too if its record comes after the first one's in the staging file.
        #expect(await rig.pipeline.inMemory >= 1)
        try await rig.pipeline.repair()
        tracker.track(3...3)
        _ = await tracker.storedCounters()
        #expect(await rig.pipeline.inMemory == 0)
        #expect(rig.log.records.count { $0.message == "the event store works again" } == 1)
        tracker.emitter.resume()
        await tracker.followed()
        await rig.transport.waitForRequests(1)
        #expect(rig.actions.sorted() == ["1", "2", "3"])
    }

    @Test("a session is stored with its events, also if they had to wait in memory")
    func keepsSessions() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker("a") { $0.tracker?.sessionContext = true }
        let other = try await rig.idleTracker("b")
        try await rig.pipeline.fail("INSERT ON events")
        tracker.track(1...1)
        _ = await tracker.storedCounters()
        #expect(try await rig.pipeline.storedSessions == [:])
        try await rig.pipeline.repair()
        other.track(2...2)
        _ = await other.storedCounters()
        #expect(await rig.pipeline.inMemory == 0)
        #expect(try await rig.pipeline.storedSessions == ["a": 1])
        try await tracker.trackCommitted(Structured(category: "c", action: "3"))
        #expect(try await rig.pipeline.storedSessions == ["a": 2])
    }

    @Test("sent events that could not be removed are not counted again when the bounds remove them")
    func undeletable() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker { $0.emitter?.maxEventStoreSize = 5 }
        tracker.track(1...4)
        _ = await tracker.storedCounters()
        try await rig.pipeline.fail("DELETE ON events")
        tracker.emitter.resume()
        await tracker.flush()
        tracker.emitter.pause()
        await tracker.followed()
        try await rig.pipeline.repair()
        tracker.track(11...18)
        let counters = await tracker.storedCounters()
        #expect(counters.droppedByReason == [.storeFull: 3])
        #expect(counters.sent == 4)
        tracker.emitter.resume()
        await tracker.followed()
        await rig.transport.waitForRequests(2)
        #expect(rig.actions == ["1", "2", "3", "4", "14", "15", "16", "17", "18"])
        await tracker.flush(timeout: .seconds(60))
        #expect(await rig.pipeline.queued(tracker) == 0)
        #expect(tracker.counters.addUp)
    }

    /// What the process after one finds that could not remove what it had sent.
    enum NextDisk: CaseIterable {
        /// Removals work again.
        case hasRoom
        /// Removals still fail.
        case isFull
        /// The process has another slot, and takes the events over.
        case isOfAnotherSlot
        /// The rows are others than those that were noted.
        case hasOtherRows
    }

    @Test("sent events that could not be removed are not sent by the next process", arguments: NextDisk.allCases)
    func unremoved(next: NextDisk) async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        tracker.track(1...4)
        _ = await tracker.storedCounters()
        try await rig.pipeline.fail("DELETE ON events")
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions == ["1", "2", "3", "4"])
        // As after a kill.
        let copy = try StoreFiles(directory: directory).copy()
        let database = copy.file("events-0.sqlite")
        switch next {
        case .hasRoom: break
        case .isFull:
            try SQLiteDatabase(path: database).execute(
                "CREATE TRIGGER kept BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'kept'); END")
        case .isOfAnotherSlot:
            for name in ["events-0.sqlite", "events-0.sqlite-wal", "events-0.staging"] {
                try FileManager.default.moveItem(
                    atPath: copy.file(name), toPath: copy.file(name.replacing("events-0", with: "events-1")))
            }
        case .hasOtherRows: try SQLiteDatabase(path: database).execute("UPDATE events SET checksum = NULL WHERE id % 2")
        }
        let second = Rig(stateDirectory: copy.path, seed: 2)
        let other = try await second.tracker()
        await second.pipeline.tend()
        other.track(5...5)
        await other.flush(timeout: .seconds(60))
        let isKnown = next != .hasOtherRows
        #expect(second.actions == (isKnown ? ["5"] : ["1", "2", "3", "4", "5"]))
        #expect(other.counters.stored == 0)
        #expect(other.counters.addUp(recovered: isKnown ? 0 : 4))
    }

    @Test(
        "on a real full disk events go to memory up to the bound, are sent, and trackCommitted says so",
        .enabled(if: Tmpfs.isAllowed, "no mount here"))
    func tinyDisk() async throws {
        let disk = try Tmpfs(kilobytes: 256)
        let rig = Rig(stateDirectory: disk.path)
        let tracker = try await rig.idleTracker {
            $0.emitter?.maxEventStoreSize = 50
            $0.emitter?.byteLimitPost = 100_000_000
        }
        // The staging file has no room, and takes none away.
        #expect(rig.pipeline.warnings.map { $0.hasSuffix(": No space left on device") } == [true])
        var isFull = false
        for number in 1...70 {
            do {
                try await tracker.trackCommitted(PaddedEvent(action: "\(number)", size: 20_000))
                #expect(!isFull)
            } catch {
                guard error.code == .notDurable, let reason = error.cause as? EventStoreError else {
                    Issue.record("the wrong error: \(error)")
                    return
                }
                #expect([.full, .failed].contains(reason.code))
                isFull = true
            }
        }
        #expect(isFull)
        var counters = await tracker.storedCounters()
        #expect(counters.stored == 50)
        #expect(counters.droppedByReason == [.storeFull: 20])
        tracker.emitter.resume()
        await tracker.flush()
        counters = tracker.counters
        #expect(counters.sent == 50)
        #expect(counters.addUp)
        #expect(Set(rig.actions).count == 50)
        #expect(rig.actions.last == "70")
    }
}
