import Foundation
import TestSupport
import Testing

@testable import TrackerCore

@Suite("what dead processes left", .endsWhenItHangs)
struct AdoptionTests {
    private let directory = TemporaryDirectory()

    /// Lets a process store events and end without sending them.
    private func leave(_ numbers: ClosedRange<Int>, namespace: String = "ns", seed: UInt64) async throws {
        let rig = Rig(stateDirectory: directory.path, seed: seed)
        let tracker = try await rig.tracker(namespace)
        tracker.emitter.pause()
        await tracker.followed()
        tracker.track(numbers)
        await rig.pipeline.shutdown(timeout: .zero)
    }

    @Test("a living process takes it over while it runs, once, in order, and a namespace without tracker keeps its own")
    func adoptsWhileRunning() async throws {
        let living = Rig(stateDirectory: directory.path, seed: 1)
        let tracker = try await living.tracker()
        await living.time.waitForSleepers(1)
        try await leave(1...1500, seed: 2)
        try await leave(7...9, namespace: "elsewhere", seed: 3)
        living.time.advance(by: EventPipeline.adoptionInterval)
        // The next sleep begins when the adoption is done.
        await living.time.waitForSleepers(1)
        await tracker.flush(timeout: .seconds(60))
        #expect(living.actions == (1...1500).map(String.init))
        #expect(tracker.counters.addUp(recovered: 1500))
        let other = try await living.tracker("elsewhere")
        await other.flush(timeout: .seconds(60))
        #expect(living.actions.suffix(3) == ["7", "8", "9"])
    }

    @Test("what a living process has is left alone")
    func leavesTheLiving() async throws {
        let one = Rig(stateDirectory: directory.path, seed: 1)
        let tracker = try await one.tracker()
        tracker.emitter.pause()
        await tracker.followed()
        tracker.track(1...2)
        _ = await tracker.settledCounters()
        let two = Rig(stateDirectory: directory.path, seed: 2)
        let other = try await two.tracker()
        await two.pipeline.adoptAbandonedStores()
        await other.flush()
        #expect(two.actions == [])
        tracker.emitter.resume()
        await tracker.flush()
        #expect(one.actions == ["1", "2"])
    }

    @Test("of a damaged file what can be read is salvaged, the rest is set aside, and work goes on")
    func salvages() async throws {
        try await leave(1...400, seed: 1)
        let path = directory.file("events-0.sqlite")
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        let size = try handle.seekToEnd()
        // The schema's page and the last pages stay whole; the middle is overwritten.
        try handle.seek(toOffset: size / 2 / 16384 * 16384)
        try handle.write(contentsOf: Data(repeating: 0xAB, count: 2 * 16384))
        try handle.close()
        // A damaged page shows when it is read; a file whose head is damaged, when it is opened.
        let target = directory.file("target.sqlite")
        let store = try SQLiteEventStore(path: target, lock: try #require(try FileLock(path: directory.file("l"))))
        let salvaged = SQLiteEventStore.salvage(path, into: store)
        #expect(salvaged > 150 && salvaged < 400)
        #expect(try store.count(of: store.key(of: "ns")) == salvaged)
        for event in try store.events(of: store.key(of: "ns"), limit: 500) {
            #expect(JSONSerialization.isValidJSONObject(try JSONSerialization.jsonObject(with: Data(event.payload))))
        }
    }

    @Test("a damaged head: the file is set aside with a warning, and new events are stored and sent")
    func setsAside() async throws {
        try await leave(1...3, seed: 1)
        let path = directory.file("events-0.sqlite")
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try handle.write(contentsOf: Data(repeating: 0x00, count: 64))
        try handle.close()
        let rig = Rig(stateDirectory: directory.path, seed: 2)
        #expect(rig.pipeline.warnings.first?.contains("is damaged and was set aside") == true)
        #expect(directory.names.contains("events-0.sqlite.corrupt"))
        let tracker = try await rig.tracker()
        try await tracker.trackCommitted(Structured(category: "c", action: "new"))
        await tracker.flush()
        #expect(rig.actions == ["new"])
    }
}

extension AdoptionTests {
    @Test("damage that shows while a process runs: what can be read is sent, the rest is counted, and work goes on")
    func goesOnAfterDamage() async throws {
        let directory = TemporaryDirectory()
        let rig = Rig(stateDirectory: directory.path, seed: 1)
        let tracker = try await rig.tracker()
        tracker.emitter.pause()
        await tracker.followed()
        tracker.track(1...400)
        await rig.pipeline.shutdown(timeout: .zero)
        let handle = try #require(FileHandle(forUpdatingAtPath: directory.file("events-0.sqlite")))
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: size / 2 / 16384 * 16384)
        try handle.write(contentsOf: Data(repeating: 0xAB, count: 2 * 16384))
        try handle.close()

        let next = Rig(stateDirectory: directory.path, seed: 2)
        let again = try await next.tracker()
        await again.flush(timeout: .seconds(60))
        again.track(1001...1010)
        await again.flush(timeout: .seconds(60))
        let actions = next.actions
        #expect(actions.suffix(10) == (1001...1010).map(String.init)[...])
        #expect(actions.count > 160 && actions.count < 410)
        #expect(Set(actions).count == actions.count)
        #expect(next.log.contains("is damaged and was set aside"))
        #expect(again.counters.stored == 0)
        #expect(again.counters.sent == actions.count)
    }
}

extension AdoptionTests {
    @Test("an answer that comes after the file was replaced counts nothing: what was salvaged is sent and counted then")
    func countsOnceOverDamage() async throws {
        let directory = TemporaryDirectory()
        let rig = Rig(stateDirectory: directory.path, seed: 1)
        let tracker = try await rig.tracker()
        rig.transport.hold()
        tracker.track(1...3)
        let flush = Task { await tracker.flush(timeout: .seconds(60)) }
        let held = await rig.transport.next()
        #expect(await rig.pipeline.replaceDamagedStore())
        rig.transport.release()
        held.answer(200)
        let report = await flush.value
        #expect((report.sent, report.stored, report.dropped) == (3, 0, 0))
        #expect(rig.actions == ["1", "2", "3", "1", "2", "3"])
    }

    @Test("a session that cannot be read is a warning, and a new user begins")
    func warnsOfSessions() async throws {
        let directory = TemporaryDirectory()
        let configure: (inout ConfigurationBundle) -> Void = { $0.tracker?.sessionContext = true }
        let first = Rig(stateDirectory: directory.path, seed: 1)
        let tracker = try await first.tracker("ns", configure)
        tracker.track(1...1)
        await first.pipeline.shutdown(timeout: .seconds(5))
        try SQLiteDatabase(path: directory.file("events-0.sqlite")).execute("UPDATE sessions SET record = x'7b'")
        let second = Rig(stateDirectory: directory.path, seed: 2)
        #expect(second.pipeline.warnings == ["the session of 'ns' cannot be read; a new user begins"])
        let again = try await second.tracker("ns", configure)
        again.track(2...2)
        await again.flush()
        #expect(second.events.first?.entity("client_session")?["sessionIndex"] == 1)
    }
}
