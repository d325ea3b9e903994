import Foundation
import TestSupport
import Testing
import TrackerConfig
import TrackerCore
import TrackerTesting

@testable import TrackerFeatures

/// The embedded store: one file for all processes of a state directory.
@Suite("The store of assignments on disk", .endsWhenItHangs)
struct AssignmentFileTests {
    private let rig = ExperimentRig()
    private let unit = ExperimentUnit(name: "userId", id: "u-1")
    private let other = ExperimentUnit(name: "userId", id: "u-2")

    @Test("what one process keeps another reads at once and after a restart; the first to keep wins")
    func shared() async throws {
        let (one, two) = (try rig.open(), try rig.open())
        #expect(try one.variant(of: "x", for: unit) == nil)
        _ = try await one.save([rig.assignment("a")])
        #expect(try two.variant(of: "x", for: unit) == "a")
        _ = try await two.save([rig.assignment("b")])
        #expect(try one.variant(of: "x", for: unit) == "a")
        _ = try await two.save([rig.assignment("c", replacing: "zz")])
        #expect(try one.variant(of: "x", for: unit) == "a")
        _ = try await two.save([rig.assignment("c", replacing: "a")])
        #expect(try one.variant(of: "x", for: unit) == "c")
        #expect(try rig.open().variant(of: "x", for: unit) == "c")
    }

    @Test("experiment, unit's name and unit's id are told apart, whatever stands in them")
    func keys() async throws {
        let store = try rig.open()
        let texts = ["", "a", "ab", "é😀", "a\u{0}b", "'; DROP TABLE assignments; --"]
        let units = texts.flatMap { name in texts.map { ExperimentUnit(name: name, id: $0) } }
        let kept = texts.flatMap { experiment in
            units.enumerated().map { number, unit in
                StickyAssignment(
                    unit: unit, experiment: experiment, variant: "\(experiment)\(number)é\u{0}", date: rig.time.now)
            }
        }
        _ = try await store.save(kept)
        for one in kept { #expect(try store.variant(of: one.experiment, for: one.unit) == one.variant) }
        let all = try await store.assignments(of: ExperimentUnit(name: "a", id: "ab"))
        #expect(all.map(\.experiment).sorted() == texts.sorted())
    }

    @Test("processes that start, read and write at the same time do not fail")
    func crowd() async {
        let processes = Locked<[(Experiments, areStored: Bool)]>([])
        await Threads.run(4) { [rig] _ in
            let experiments = rig.run(.weighted(1, 1, isSticky: true))
            let shorts = (0..<50).map { experiments.short("x", "u-\($0)") }
            processes.withLock { $0.append((experiments, shorts.allSatisfy { $0.hasSuffix("*") })) }
        }
        for (experiments, areStored) in processes.withLock({ $0 }) {
            await experiments.settle()
            #expect(areStored)
            #expect(experiments.counters.storeFailures == 0)
            #expect(experiments.counters.assignmentsLost == 0)
        }
    }

    @Test("only this user can read the file")
    func mode() async throws {
        let store = try rig.open()
        _ = try await store.save([rig.assignment("a")])
        for name in ["", "-wal", "-shm"] {
            #expect(rig.directory.mode(of: "state/assignments.sqlite\(name)") == 0o600)
        }
        #expect(rig.directory.mode(of: "state") == 0o700)
        withExtendedLifetime(store) {}
    }

    @Test("a file that is no database is set aside with a warning, and a fresh one is used")
    func damaged() async throws {
        try FileManager.default.createDirectory(atPath: rig.directory.file("state"), withIntermediateDirectories: true)
        rig.directory.write(String(repeating: "no database ", count: 1000), to: "state/assignments.sqlite")
        let experiments = rig.start()
        let warnings = rig.use([.weighted(0, 1, isSticky: true)], in: experiments)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("is damaged and was set aside") == true)
        #expect(experiments.short() == "b assigned*")
        await experiments.settle()
        #expect(experiments.counters.assignmentsStored == 1)
        #expect(FileManager.default.fileExists(atPath: rig.storePath + ".corrupt"))
    }

    @Test("a file that is damaged while it is used is set aside as soon as a read finds out")
    func damagedLater() async throws {
        let first = rig.run(.weighted(0, 1, isSticky: true))
        for user in 0..<500 { _ = first.short("x", "user-\(user)") }
        await first.settle()
        try rig.damageStore()
        let second = rig.run(.weighted(1, 0, isSticky: true))
        for user in 0..<50 { #expect(second.short("x", "user-\(user)").hasPrefix("a assigned")) }
        #expect(second.counters.storeFailures > 0)
        try await waitUntil("the file is replaced") { rig.log.contains("is damaged and was set aside") }
        await second.settle()
        // The repair may have come while the fifty were read, and then it kept the rest of them.
        let before = second.counters.assignmentsStored
        rig.time.advance(by: .seconds(60))
        #expect(second.short("x", "new") == "a assigned*")
        await second.settle()
        #expect(second.counters.assignmentsStored == before + 1)
    }

    @Test("a file of an earlier release stays as it is, with one warning")
    func former() throws {
        let path = rig.directory.file("state/assignments-service.sqlite")
        try FileManager.default.createDirectory(atPath: rig.directory.file("state"), withIntermediateDirectories: true)
        rig.directory.write("former", to: "state/assignments-service.sqlite")
        let warnings = rig.use([.weighted(0, 1, isSticky: true)], in: rig.start())
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("is of an earlier release, which this one does not read") == true)
        #expect(rig.use([.weighted(0, 1, isSticky: true)], in: rig.start()) == [])
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "former")
    }

    @Test("beyond the limit the oldest are removed, counted and logged once, and their units are drawn anew")
    func limit() async throws {
        let experiments = rig.run(.weighted(0, 1, isSticky: true)) { $0.storeLimit = 10 }
        for user in 0..<15 {
            #expect(experiments.counters.assignmentsEvicted == max(0, user - 10))
            #expect(experiments.short("x", "u-\(user)") == "b assigned*")
            await experiments.settle()
            rig.time.advance(by: .seconds(1))
        }
        #expect(experiments.counters.assignmentsEvicted == 5)
        #expect(experiments.counters.assignmentsStored == 15)
        #expect(rig.log.records.count == 1)
        #expect(rig.log.contains("experiments: more than 10 assignments are stored; the oldest are removed"))
        let restarted = rig.run(.weighted(1, 0, isSticky: true))
        #expect(restarted.short("x", "u-4") == "a assigned*")
        #expect(restarted.short("x", "u-5") == "b sticky*")
    }

    @Test("of assignments with one time, no more are removed than are too many; each hundredth of the limit is checked")
    func limitOfEqualTimes() async throws {
        let evicted = Locked(0)
        let store = try AssignmentFile(
            path: rig.storePath, limit: 1000, time: rig.time, log: Log(rig.log, level: .debug)
        ) { count in evicted.withLock { $0 += count } }
        for (users, count) in [(0..<1200, 200), (1200..<1209, 200), (1209..<1210, 210)] {
            _ = try await store.save(users.map { rig.assignment("a", for: "\($0)") })
            #expect(evicted.withLock { $0 } == count)
        }
        let rows = try SQLiteDatabase(path: rig.storePath).prepare("SELECT count(*) FROM assignments").number()
        #expect(rows == 1000)
    }

    @Test("an assignment keeps its time, and one that replaces another has its own; a unit can be forgotten")
    func dates() async throws {
        let store = try rig.open()
        let first = rig.assignment("a")
        _ = try await store.save([first])
        rig.time.advance(by: .seconds(10))
        #expect(try await store.save([rig.assignment("b")]) == [first])
        #expect(try store.storedAssignments(of: unit) == [first])
        #expect(try await store.save([rig.assignment("a", replacing: "a")]) == [])
        #expect(try await store.assignments(of: unit) == [rig.assignment("a")])
        _ = try await store.save([rig.assignment("b", of: "y"), rig.assignment("b", for: "u-2")])
        #expect(try await store.forget(unit) == 2)
        #expect(try await store.forget(unit) == 0)
        #expect(try await store.assignments(of: unit).isEmpty)
        #expect(try store.variant(of: "x", for: other) == "b")
    }

    @Test("a second connection of a process leaves the first one's locks: another process keeps the journal", .mayBlock)
    func keepsLocks() async throws {
        let (first, second) = (try rig.open(), try rig.open())
        _ = try await first.save([rig.assignment("a")])
        _ = try await second.save([rig.assignment("a", for: "u-2")])
        // Another process opens and closes the file; as the last one it would remove the journal.
        let script = """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1])
            c.execute('SELECT count(*) FROM assignments').fetchone()
            c.close()
            """
        let process = try ChildProcess("python3", "-c", script, rig.storePath)
        let isWell = process.wait()
        #expect(isWell)
        #expect(FileManager.default.fileExists(atPath: "\(rig.storePath)-wal"))
        withExtendedLifetime((first, second)) {}
    }

    @Test("a file of a newer version of the SDK is left alone, and to forget a unit in it is an error")
    func newer() async throws {
        _ = try rig.open()
        try SQLiteDatabase(path: rig.storePath).execute("PRAGMA user_version = 99")
        let experiments = rig.start()
        let warnings = rig.use([.weighted(0, 1, isSticky: true)], in: experiments)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("written by a newer version") == true)
        #expect(experiments.short() == "b assigned")
        await #expect(throws: EventStoreError.self) { try await experiments.forget(unit) }
    }

    @Test(
        "on a full disk what is stored stays sticky, and the rest behaves as not sticky, with a line in the log",
        .enabled(if: Tmpfs.isAllowed, "no mount here"))
    func full() async throws {
        let disk = try Tmpfs(kilobytes: 256)
        let experiments = rig.run(.weighted(0, 1, isSticky: true)) {
            $0.storePath = "\(disk.path)/assignments.sqlite"
        }
        #expect(experiments.short() == "b assigned*")
        await experiments.settle()
        var user = 0
        while experiments.counters.assignmentsLost == 0, user < 100_000 {
            for _ in 0..<500 {
                _ = experiments.short("x", "user-\(user)")
                user += 1
            }
            await experiments.settle()
        }
        // What was on its way at the first failure may fail as well; after it nothing is tried for a while.
        let failures = experiments.counters.storeFailures
        #expect(failures >= 1)
        for _ in 0..<2 { #expect(experiments.short("x", "new") == "b assigned") }
        #expect(experiments.counters.storeFailures == failures)
        rig.time.advance(by: .seconds(5))
        for user in 0..<5000 { #expect(experiments.short("x", "later-\(user)").hasPrefix("b assigned")) }
        await experiments.settle()
        // The first few may have found room in a page that was there.
        #expect((0..<5000).contains { experiments.short("x", "later-\($0)") == "b assigned" })
        #expect(experiments.short() == "b sticky*")
        #expect(experiments.counters.storeFailures > failures)
        #expect(1...2 ~= rig.log.records.filter { $0.message.contains("cannot be written") }.count)
        rig.use([.weighted(1, 0, isSticky: true)], in: experiments)
        #expect(experiments.short() == "b sticky*")
    }
}
