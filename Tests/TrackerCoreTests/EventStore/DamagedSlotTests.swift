import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("damage that shows after a store was opened", .endsWhenItHangs)
struct DamagedSlotTests {
    private let directory = TemporaryDirectory()
    private var files: StoreFiles { StoreFiles(directory: directory) }
    private var database: String { directory.file("events-0.sqlite") }

    /// A process that has the namespace `ns` from its start.
    private func start(seed: UInt64) -> Rig {
        Rig(directory: StateDirectory(path: directory.path, service: "tests"), namespaces: ["ns"], seed: seed)
    }

    private func removeTrigger() throws {
        try SQLiteDatabase(path: directory.file("events-1.sqlite")).execute("DROP TRIGGER kept")
    }

    @Test(
        "a damaged table of a free slot costs no more than itself, and the next process has a store",
        arguments: ["events", "moves", "namespaces", "sessions", "staging"])
    func replacesAtTheStart(table: String) async throws {
        try await Rig.leave(1...15, in: directory, seed: 1)
        try files.damage(table: table)
        let rig = start(seed: 2)
        let tracker = try await rig.tracker()
        #expect(await rig.pipeline.slotNumber == 0)
        #expect(rig.pipeline.warnings.count == 1)
        #expect(rig.pipeline.warnings[0].contains("events-0.sqlite is damaged and was replaced"))
        try await tracker.trackCommitted(Structured(category: "c", action: "16"))
        await rig.pipeline.tend()
        await tracker.flush(timeout: .seconds(60))
        #expect(Set(rig.actions) == Set(texts(table == "events" ? 16...16 : 1...16)))
        #expect(Set(rig.actions).count == rig.actions.count)
        #expect(directory.names.contains("events-0.staging"))
    }

    @Test("a store that lacks a table is replaced, and its events are sent")
    func replacesWithoutTable() async throws {
        try await Rig.leave(1...5, in: directory, seed: 1)
        do { try SQLiteDatabase(path: database).execute("DROP TABLE sessions") }
        let rig = start(seed: 2)
        #expect(await rig.pipeline.slotNumber == 0)
        #expect(rig.pipeline.warnings.count == 1)
        #expect(rig.pipeline.warnings[0].contains("no such table: sessions"))
        let tracker = try await rig.tracker()
        await rig.pipeline.tend()
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions == texts(1...5))
    }

    @Test("slots whose move cannot be completed are passed over until it can be")
    func passesMovesOver() async throws {
        let killed = try await Rig.moveHalf(in: directory)
        await killed.pipeline.shutdown(timeout: .zero)
        let rig = start(seed: 3)
        #expect(await rig.pipeline.slotNumber == 2)
        #expect(rig.pipeline.warnings.contains { $0.contains("cannot be completed") && $0.contains("kept") })
        let tracker = try await rig.tracker()
        await rig.pipeline.tend()
        #expect(rig.actions == [])
        try removeTrigger()
        await rig.pipeline.tend()
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions.sorted() == texts(1...5))
        #expect(tracker.counters.addUp(recovered: 5))
    }

    @Test("a damaged store at the other end of a move is replaced, and its slot serves again")
    func replacesPeers() async throws {
        let killed = try await Rig.moveHalf(in: directory)
        await killed.pipeline.shutdown(timeout: .zero)
        try removeTrigger()
        try files.damage(table: "moves", slot: 1)
        let rig = start(seed: 3)
        let tracker = try await rig.tracker()
        #expect(rig.pipeline.warnings.contains { $0.contains("events-1.sqlite is damaged and was replaced") })
        for _ in 0..<2 { await rig.pipeline.tend() }
        await tracker.flush(timeout: .seconds(60))
        // Which of them were moved was in the damaged table.
        #expect(Set(rig.actions) == Set(texts(1...5)))
        #expect(tracker.counters.stored == 0)
    }

    @Test("a living process replaces a damaged free slot, and takes over what can be read of it")
    func replacesWhileRunning() async throws {
        let living = Rig(stateDirectory: directory.path, seed: 1)
        let tracker = try await living.tracker()
        try await Rig.leave(1...400, in: directory, seed: 2)
        try files.damage(pages: try files.leaves([0.5], slot: 1), slot: 1)
        await living.pipeline.adoptAbandonedStores()
        await tracker.flush(timeout: .seconds(60))
        let lost = tracker.counters.droppedByReason[.damaged] ?? 0
        #expect(1...100 ~= lost)
        #expect(Set(living.actions).count == 400 - lost)
        #expect(living.actions.count == 400 - lost)
        #expect(!directory.names.contains("events-1.sqlite"))
        #expect(
            living.log.records.contains {
                $0.level == .error && $0.message.contains("events-1.sqlite is damaged and was replaced")
            })
    }

    @Test("a damaged store of the process itself is not taken for one of the free slot it takes over")
    func sparesTheSource() async throws {
        let living = Rig(stateDirectory: directory.path, seed: 1)
        _ = try await living.idleTracker()
        try await Rig.leave(1...5, in: directory, seed: 2)
        try await living.pipeline.forgetPages()
        try files.damage(table: "moves")
        await living.pipeline.adoptAbandonedStores()
        #expect(try files.count(slot: 1) == 5)
        #expect(directory.names.allSatisfy { !$0.hasPrefix("events-1.sqlite.") || $0.hasSuffix("-wal") })
    }

    @Test("a staging file that a damaged table keeps closed is opened after the store was replaced")
    func reopensStaging() async throws {
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("events-0.staging"), withDestinationPath: directory.file("elsewhere"))
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.idleTracker()
        try await tracker.trackCommitted(Structured(category: "c", action: "1"))
        try FileManager.default.removeItem(atPath: directory.file("events-0.staging"))
        try await rig.pipeline.forgetPages()
        try files.damage(table: "staging")
        for _ in 0..<2 { await rig.pipeline.tend() }
        let infos = rig.log.records.filter { $0.level == .info }.map(\.message)
        #expect(infos.contains("events that are tracked from now on outlive a kill"))
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions == ["1"])
        #expect(tracker.counters.addUp)
    }
}

extension DamagedSlotTests {
    @Test("records of the staging file whose events a damaged store has are not replayed beside them")
    func salvagesPositions() async throws {
        let killed = Rig(stateDirectory: directory.path, seed: 1)
        let tracker = try await killed.idleTracker()
        tracker.track(1...10)
        // Before the segment is released, the file does not note what the store has.
        let before = try Data(contentsOf: URL(filePath: directory.file("events-0.staging")))
        _ = await tracker.storedCounters()
        try await killed.pipeline.forgetPages()
        let copy = try files.copy()
        try before.write(to: URL(filePath: copy.file("events-0.staging")))
        try StoreFiles(directory: copy).damage(table: "sessions")
        let rig = Rig(directory: StateDirectory(path: copy.path, service: "tests"), namespaces: ["ns"], seed: 2)
        let next = try await rig.tracker()
        for _ in 0..<2 { await rig.pipeline.tend() }
        await next.flush(timeout: .seconds(60))
        #expect(rig.actions == texts(1...10))
        #expect(next.counters.addUp(recovered: 10))
    }

    private func position(_ segment: Int, _ generation: UInt64, _ count: Int) -> StagedPosition {
        StagedPosition(
            segment: segment, generation: generation,
            end: StagedEnd(offset: StagingFile.segmentHeaderSize + 64 * count, count: count))
    }

    @Test("behind damage in a log the positions of a grown staging file are found too")
    func findsPositions() throws {
        let path = directory.file("source.sqlite")
        let store = try directory.store("source")
        let positions = [position(3, 5, 1), position(StagingFile.segmentCount, 6, 2)]
        for position in positions { try store.save(position) }
        var log = try Data(contentsOf: URL(filePath: "\(path)-wal"))
        log[32 + 24 + 8000] ^= 1
        let copy = directory.file("copy.sqlite")
        try log.write(to: URL(filePath: "\(copy)-wal"))
        try Data(contentsOf: URL(filePath: path)).write(to: URL(filePath: copy))
        let found = try WriteAheadLog.positions(behindDamageOf: copy)
        #expect(Set(found.map(\.segment)) == Set(positions.map(\.segment)))
        #expect(positions.allSatisfy(found.contains))
    }

    @Test("events of a damaged store that another slot already has are not salvaged too", arguments: [0.5, 0.9])
    func salvagesSources(share: Double) async throws {
        let killed = try await Rig.moveHalf(1...1500, in: directory)
        await killed.pipeline.shutdown(timeout: .zero)
        try removeTrigger()
        try files.damage(pages: try files.leaves([share], slot: 1), slot: 1)
        let rig = start(seed: 3)
        let tracker = try await rig.tracker()
        for _ in 0..<3 { await rig.pipeline.tend() }
        await tracker.flush(timeout: .seconds(60))
        // The first thousand were moved, so that damage among them loses nothing.
        let lost = tracker.counters.droppedByReason[.damaged] ?? 0
        #expect(share < 0.6 ? lost == 0 : 1...100 ~= lost)
        #expect(Set(rig.actions).count == rig.actions.count)
        #expect(rig.actions.count == 1500 - lost)
        #expect(tracker.counters.addUp(recovered: 1500))
    }

    @Test("a damaged store that was replaced knows which events of another slot it has")
    func salvagesTargets() async throws {
        let living = try await Rig.moveHalf(in: directory)
        try removeTrigger()
        #expect(await living.pipeline.replaceDamagedDisk())
        await living.pipeline.adoptAbandonedStores()
        let tracker = try await living.tracker()
        tracker.emitter.resume()
        await tracker.flush(timeout: .seconds(60))
        #expect(living.actions == texts(1...5))
        #expect(tracker.counters.addUp(recovered: 5))
    }
}

extension EventPipeline {
    fileprivate var slotNumber: Int? { storage.slot }

    /// Writes the journal to the database and drops the pages in memory, so that the file is read again.
    fileprivate func forgetPages() throws {
        try storage.disk?.database.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA shrink_memory")
    }
}
