import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("EventPipeline's storage", .endsWhenItHangs)
struct PipelineStorageTests {
    private let directory = TemporaryDirectory()

    @Test("unsent events are sent after a restart, in order and before newer ones")
    func survivesRestarts() async throws {
        let first = Rig(stateDirectory: directory.path)
        let tracker = try await first.tracker()
        tracker.track(1...5)
        // With no time nothing is sent.
        #expect(await first.pipeline.shutdown(timeout: .zero).delivery == Delivery(sent: 0, stored: 5))
        #expect(first.transport.requests.isEmpty)
        #expect(!directory.names.contains("events-0.staging"))
        let second = Rig(stateDirectory: directory.path, seed: 2)
        let again = try await second.tracker { $0.emitter?.emitRange = 3 }
        again.track(6...7)
        await again.flush()
        #expect(second.actions == (1...7).map { "\($0)" })
        #expect(again.counters.tracked == 2)
        #expect(again.counters.sent == 7)
        #expect(again.counters.stored == 0)
        #expect(again.counters.addUp(recovered: 5))
        #expect(second.pipeline.warnings.isEmpty)
    }

    @Test("a committed event is in the file when trackCommitted returns")
    func commits() async throws {
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.tracker()
        let id = try await tracker.trackCommitted(Structured(category: "c", action: "1"))
        let rows = try StoreFiles(directory: directory).payloads()
        #expect(rows.count == 1)
        #expect(rows.first?.contains(id.description) == true)
        #expect(!directory.names.contains { $0.hasSuffix("-shm") })
    }

    @Test("without a disk trackCommitted says that the event is in memory only, and it is sent all the same")
    func tellsOfMemory() async throws {
        let rig = Rig()
        let tracker = try await rig.tracker()
        let error = await #expect(throws: TrackingError.self) { try await tracker.trackCommitted(PageView(url: "u")) }
        guard error?.code == .notDurable, let reason = error?.cause as? EventStoreError else {
            Issue.record("the wrong error: \(String(describing: error))")
            return
        }
        #expect(reason.code == .unavailable)
        #expect(error?.id != nil)
        await tracker.flush()
        #expect(rig.events.first?["eid"] == error?.id?.description)
    }

    @Test("events that are too old are dropped when others come, at most once a second", arguments: [true, false])
    func boundsByAge(isOnDisk: Bool) async throws {
        let rig = Rig(stateDirectory: isOnDisk ? directory.path : nil)
        let tracker = try await rig.idleTracker { $0.emitter?.maxEventStoreAge = .seconds(100) }
        tracker.track(1...2)
        _ = await tracker.storedCounters()
        rig.time.advance(by: .seconds(100))
        tracker.track(3...3)
        #expect(await tracker.storedCounters().stored == 3)
        rig.time.advance(by: .milliseconds(1))
        tracker.track(4...4)
        #expect(await tracker.storedCounters().stored == 4, "they were looked for a millisecond ago")
        rig.time.advance(by: .milliseconds(999))
        tracker.track(5...5)
        let counters = await tracker.storedCounters()
        #expect(counters.droppedByReason == [.expired: 2])
        #expect(counters.stored == 3)
        #expect(counters.addUp)
    }

    @Test("a namespace never becomes a path")
    func keepsNamespacesInside() async throws {
        let inside = directory.file("a/b/state")
        let rig = Rig(stateDirectory: inside)
        for name in EventStoreTests.odd {
            let tracker = try await rig.tracker(name)
            tracker.track(1...1)
            await tracker.flush()
            #expect(rig.events.last?["tna"] == String(name.prefix(128)))
        }
        #expect(directory.names == ["a"])
        let names = try FileManager.default.contentsOfDirectory(atPath: inside)
        #expect(names.allSatisfy { $0.hasPrefix("events-0.") })
    }

    @Test("a directory that cannot be used keeps events in memory, with a warning")
    func fallsBackToMemory() async throws {
        directory.write("", to: "file")
        let disk: Tmpfs? = try Tmpfs.isAllowed ? Tmpfs(kilobytes: 256) : nil
        try disk?.makeReadOnly()
        let paths = [directory.file("file"), directory.file("file/state"), "/proc/tracker-config-test"]
        for path in paths + [disk?.path].compactMap(\.self) {
            let rig = Rig(stateDirectory: path)
            #expect(rig.pipeline.warnings.count == 1)
            #expect(rig.log.contains("events are kept in memory only until the store can be opened"))
            let tracker = try await rig.tracker()
            tracker.track(1...2)
            #expect(await tracker.flush().sent == 2)
        }
        withExtendedLifetime(disk) {}
    }

    @Test("a file that is no database is set aside", arguments: ["garbage", String(repeating: "x", count: 10_000)])
    func setsDamageAside(text: String) async throws {
        directory.write(text, to: "events-0.sqlite")
        let rig = Rig(stateDirectory: directory.path)
        #expect(rig.pipeline.warnings.first?.contains("is damaged and was replaced") == true)
        let tracker = try await rig.tracker()
        try await tracker.trackCommitted(PageView(url: "u"))
        await rig.pipeline.tend()
        let aside = try #require(directory.names.first { $0.hasPrefix("events-0.sqlite.unreadable-") })
        #expect(try String(contentsOfFile: directory.file(aside), encoding: .utf8) == text)
    }

    @Test("a file of a newer version is left as it is, and the next slot is taken")
    func leavesNewerFilesAlone() async throws {
        do {
            let file = try SQLiteDatabase(path: directory.file("events-0.sqlite"))
            try file.execute("PRAGMA user_version = 99")
        }
        let rig = Rig(stateDirectory: directory.path)
        #expect(rig.pipeline.warnings.first?.contains("newer version") == true)
        let tracker = try await rig.tracker()
        try await tracker.trackCommitted(PageView(url: "u"))
        #expect(directory.names.contains("events-1.sqlite"))
        let file = try SQLiteDatabase(path: directory.file("events-0.sqlite"))
        #expect(try file.prepare("PRAGMA user_version").number() == 99)
    }

    @Test("two pipelines take files of their own, and a later one takes over what a closed one left")
    func adoptsFiles() async throws {
        let one = Rig(stateDirectory: directory.path, seed: 1)
        let first = try await one.idleTracker()
        first.track(1...2)
        _ = await first.storedCounters()
        try await Rig.leave(3...4, in: directory, seed: 2)
        #expect(directory.names.filter { $0.hasSuffix(".sqlite") } == ["events-0.sqlite", "events-1.sqlite"])
        for (seed, actions) in [(UInt64(3), ["3", "4"]), (4, ["1", "2"])] {
            let next = Rig(stateDirectory: directory.path, seed: seed)
            _ = try await next.tracker().flush()
            #expect(next.actions == actions)
            #expect(next.pipeline.warnings == [])
            await one.pipeline.shutdown(timeout: .zero)
        }
    }

    @Test("unsent events are removed but for some namespaces, and never those under way")
    func removesUnsentEvents() async throws {
        let rig = Rig(stateDirectory: directory.path)
        var made: [Tracker] = []
        for name in ["a", "b", "c"] {
            made.append(try await name == "c" ? rig.tracker(name) : rig.idleTracker(name))
        }
        let trackers = made
        rig.transport.hold()
        trackers[2].track(1...2)
        let report = Task { await trackers[2].flush(timeout: .seconds(1000)) }
        let held = await rig.transport.next()
        for tracker in trackers { tracker.track(3...4) }
        #expect(await rig.pipeline.removeUnsentEvents(exceptNamespaces: ["a"]) == 4)
        #expect(trackers.map(\.counters.stored) == [2, 0, 2])
        #expect(trackers[1].counters.droppedByReason == [.cleared: 2])
        rig.transport.release()
        held.answer(200)
        #expect(await report.value.sent == 2)
        #expect(trackers.map(\.counters.addUp) == [true, true, true])
    }
}
