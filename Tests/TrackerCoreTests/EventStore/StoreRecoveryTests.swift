import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("a store that comes and goes", .endsWhenItHangs)
struct StoreRecoveryTests {
    private let directory = TemporaryDirectory()

    /// The actions of the events that the next process sends if this one is killed now.
    private func sentAfterKill(in path: String) async throws -> [String] {
        try await StoreFiles(directory: TemporaryDirectory(at: path)).sentAfterKill()
    }

    @Test("a forked child that releases an inherited store leaves the parent's log where it is", .mayBlock)
    func forkedRelease() async throws {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            var store: SQLiteEventStore? = try directory.store("events-0")
            let key = try #require(try store?.key(of: "ns"))
            for _ in 0..<20 { try store?.append(["{}"], key: key) }
            let child = ForkedChild.start()
            if child == 0 {
                store = nil
                ForkedChild.end(true)
            }
            #expect(ForkedChild.wasRight(child))
            #expect(store?.isInPlace == true)
            try store?.append(["{}"], key: key)
            #expect(try StoreFiles(directory: directory).count() == 21)
        }
    }

    @Test("a store that cannot be opened at the start is opened later, with the events of the meantime")
    func opensLater() async throws {
        directory.write("", to: "state")
        let path = directory.file("state")
        let rig = Rig(stateDirectory: path)
        let tracker = try await rig.idleTracker()
        await #expect(throws: TrackingError.self) {
            try await tracker.trackCommitted(Structured(category: "c", action: "1"))
        }
        try FileManager.default.removeItem(atPath: path)
        rig.time.advance(by: StoreCondition.openInterval)
        // The event that finds the store closed is stored after it was answered.
        _ = try? await tracker.trackCommitted(Structured(category: "c", action: "2"))
        try await tracker.trackCommitted(Structured(category: "c", action: "3"))
        #expect(tracker.counters.stored == 3)
        #expect(rig.log.records.contains { $0.level == .info && $0.message == "the event store works again" })
        #expect(try await sentAfterKill(in: path) == ["1", "2", "3"])
    }

    @Test("a store that cannot be opened at the start is opened later also if nothing is tracked")
    func opensLaterByItself() async throws {
        directory.write("", to: "state")
        let rig = Rig(stateDirectory: directory.file("state"))
        let tracker = try await rig.idleTracker()
        tracker.track(1...3)
        _ = await tracker.storedCounters()
        try FileManager.default.removeItem(atPath: directory.file("state"))
        await rig.time.waitForSleeps(1, of: EventPipeline.adoptionInterval)
        rig.time.advance(by: EventPipeline.adoptionInterval)
        await rig.time.waitForSleeps(1, of: EventPipeline.adoptionInterval)
        await rig.pipeline.shutdown(timeout: .zero)
        #expect(tracker.counters.stored == 3)
        #expect(try await sentAfterKill(in: directory.file("state")) == ["1", "2", "3"])
    }

    @Test("a slot of another user's is passed over", arguments: ["lock", "sqlite"])
    func passesSlotsOver(kind: String) async throws {
        // Not even root opens a link where none is followed.
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("events-0.\(kind)"), withDestinationPath: directory.file("elsewhere"))
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.tracker()
        try await tracker.trackCommitted(Structured(category: "c", action: "1"))
        #expect(directory.names.contains("events-1.sqlite"))
        #expect(!directory.names.contains("elsewhere"))
        #expect(rig.pipeline.warnings.count == 1)
    }

    @Test("events whose directory is removed before the end are in a new one")
    func endsInNewDirectory() async throws {
        let path = directory.file("state")
        let rig = Rig(stateDirectory: path)
        let tracker = try await rig.idleTracker()
        tracker.track(1...5)
        #expect(await tracker.storedCounters().stored == 5)
        try FileManager.default.removeItem(atPath: path)
        #expect(await rig.pipeline.shutdown(timeout: .zero).delivery == Delivery(sent: 0, stored: 5, dropped: 0))
        #expect(try await sentAfterKill(in: path) == texts(1...5))
    }

    @Test(
        "a directory that vanishes: what is answered as committed is in a new one",
        arguments: ["removed", "moved", "replaced"])
    func noticesThatItIsGone(how: String) async throws {
        let path = directory.file("state")
        let rig = Rig(stateDirectory: path)
        let tracker = try await rig.idleTracker()
        for number in 1...3 { try await tracker.trackCommitted(Structured(category: "c", action: "\(number)")) }
        switch how {
        case "removed": try FileManager.default.removeItem(atPath: path)
        case "moved": try FileManager.default.moveItem(atPath: path, toPath: directory.file("elsewhere"))
        default:
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        for number in 4...5 { try await tracker.trackCommitted(Structured(category: "c", action: "\(number)")) }
        #expect(tracker.counters.stored == 5)
        #expect(
            rig.log.records.contains {
                $0.level == .error && $0.message.contains("was removed or replaced while it was in use")
            })
        #expect(try await sentAfterKill(in: path) == ["1", "2", "3", "4", "5"])
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions == ["1", "2", "3", "4", "5"])
        #expect(tracker.counters.addUp)
    }

    @Test("a new store in the place of a vanished one warns of what it passed over")
    func warnsAfterVanishing() async throws {
        let path = directory.file("state")
        let rig = Rig(stateDirectory: path)
        let tracker = try await rig.tracker()
        try await tracker.trackCommitted(Structured(category: "c", action: "1"))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(path)/events-0.lock", withDestinationPath: directory.file("elsewhere"))
        try await tracker.trackCommitted(Structured(category: "c", action: "2"))
        #expect(FileManager.default.fileExists(atPath: "\(path)/events-1.sqlite"))
        #expect(rig.log.records.contains { $0.level == .warning && $0.message.contains("events-0.lock") })
    }

    @Test("a directory that is gone and cannot be made again is no place for a committed event")
    func saysThatItIsGone() async throws {
        let path = directory.file("state")
        let rig = Rig(stateDirectory: path)
        let tracker = try await rig.tracker()
        try await tracker.trackCommitted(Structured(category: "c", action: "1"))
        try FileManager.default.removeItem(atPath: path)
        directory.write("", to: "state")
        await #expect(throws: TrackingError.self) {
            try await tracker.trackCommitted(Structured(category: "c", action: "2"))
        }
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions == ["1", "2"])
    }

    @Test("a switch of stores that fails half way files no event under another namespace")
    func switchesWholly() throws {
        let path = directory.file("state")
        let storage = EventStorage.open(in: path, ["a", "b"])
        var batch = EventBatch()
        for index in 0...1 {
            Array(#"{"eid":"e"}"#.utf8).withUnsafeBytes {
                batch.append($0, namespace: index, isAnonymous: false, time: 0)
            }
        }
        try storage.append(batch).get()
        try FileManager.default.moveItem(atPath: path, toPath: directory.file("gone"))
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        do {
            // The other way round, and the first namespace cannot be read.
            let store = try directory.store("state/events-0")
            for namespace in ["b", "a"] { try store.append([#"{"eid":"e"}"#], key: store.key(of: namespace)) }
            try store.database.execute(
                """
                ALTER TABLE events RENAME TO stored;
                CREATE VIEW events AS SELECT id, time, anonymous, checksum,
                CASE WHEN id >> 40 = 2 THEN abs(-9223372036854775807 - 1) ELSE payload END AS payload FROM stored;
                """)
        }
        #expect(throws: EventStoreError.self) { try storage.append(batch).get() }
        let disk = try #require(storage.disk)
        for partition in storage.partitions { #expect(try disk.key(of: partition.namespace) == partition.key) }
    }

    @Test("of the store only the staging file is shared memory, whose truncation would end the process")
    func sharesNoMemory() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.tracker()
        try await tracker.trackCommitted(Structured(category: "c", action: "1"))
        let maps = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps")).readToEnd() ?? Data()
        let mapped = String(decoding: maps, as: UTF8.self).split(separator: "\n").filter { $0.contains(directory.path) }
        #expect(mapped.count == 1)
        #expect(mapped.allSatisfy { $0.hasSuffix("/events-0.staging") })
        #expect(!directory.names.contains { $0.hasSuffix("-shm") })
    }
}

@Suite("the size of the event store", .endsWhenItHangs)
struct StoreSizeTests {
    private let directory = TemporaryDirectory()

    private func size(_ name: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: directory.file(name))[.size] as? Int ?? 0
    }

    @Test("unsent events are bounded by their bytes", arguments: [true, false])
    func boundsBytes(isOnDisk: Bool) async throws {
        let rig = Rig(stateDirectory: isOnDisk ? directory.path : nil)
        let tracker = try await rig.idleTracker { $0.emitter?.maxEventStoreBytes = 20_000 }
        for number in 1...10 {
            tracker.track(PaddedEvent(action: "\(number)", size: 4_000))
            _ = await tracker.storedCounters()
        }
        #expect(tracker.counters.stored == 4)
        #expect(tracker.counters.droppedByReason == [.storeFull: 6])
        tracker.emitter.resume()
        await tracker.flush()
        #expect(rig.actions == ["7", "8", "9", "10"])
    }

    @Test("the bytes of earlier runs count too")
    func boundsBytesOfEarlierRuns() async throws {
        for seed in 1...2 {
            let rig = Rig(stateDirectory: directory.path, seed: UInt64(seed))
            rig.transport.respond { _ in .success(HTTPTransportResponse(status: 503)) }
            let tracker = try await rig.tracker { $0.emitter?.maxEventStoreBytes = seed == 1 ? 1 << 30 : 20_000 }
            // What a request has on its way is never dropped.
            if seed == 2 {
                await rig.transport.waitForRequests(1)
                await rig.time.waitForSleep(in: .zero ... .milliseconds(100))
            }
            tracker.emitter.pause()
            await tracker.followed()
            for number in 1...6 { tracker.track(PaddedEvent(action: "\(number)", size: 4_000)) }
            await rig.pipeline.shutdown(timeout: .zero)
            #expect(tracker.counters.stored == (seed == 1 ? 6 : 4))
        }
    }

    @Test("a pass loads some megabytes, however large the events are", arguments: [true, false])
    func boundsPasses(isOnDisk: Bool) async throws {
        let rig = Rig(stateDirectory: isOnDisk ? directory.path : nil)
        let tracker = try await rig.idleTracker { $0.emitter?.byteLimitPost = 100_000_000 }
        for number in 1...10 { tracker.track(PaddedEvent(action: "\(number)", size: 1_000_000)) }
        #expect(await tracker.storedCounters().stored == 10)
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(tracker.counters.sent == 10)
        #expect(rig.transport.requests.allSatisfy { ($0.body?.count ?? 0) <= DeliveryState.maximumPassBytes })
    }

    @Test("the file shrinks after a backlog was sent")
    func shrinks() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        for number in 1...100 { tracker.track(PaddedEvent(action: "\(number)", size: 100_000)) }
        #expect(await tracker.storedCounters().stored == 100)
        await rig.pipeline.tend()
        let full = try size("events-0.sqlite") + size("events-0.sqlite-wal")
        #expect(full > 10_000_000)
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        await rig.pipeline.tend()
        #expect(try size("events-0.sqlite") + size("events-0.sqlite-wal") < 6_000_000)
        await rig.pipeline.shutdown()
        #expect(try size("events-0.sqlite") < 6_000_000)
    }

    @Test("a file of a release that did not shrink does once it is empty")
    func shrinksOldFiles() async throws {
        do {
            let old = try SQLiteDatabase(path: directory.file("events-0.sqlite"))
            try old.execute(
                """
                PRAGMA page_size = 16384; PRAGMA journal_mode = WAL;
                CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(20000000)); DELETE FROM filler;
                """)
        }
        #expect(try size("events-0.sqlite") > 20_000_000)
        let rig = Rig(stateDirectory: directory.path)
        await rig.pipeline.tend()
        #expect(try size("events-0.sqlite") < 1_000_000)
    }
}
