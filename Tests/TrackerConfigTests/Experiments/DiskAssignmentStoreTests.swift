import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig
@testable import TrackerFeatures

/// The embedded store: one file for all processes of a state directory.
@Suite("The store of assignments on disk", .endsWhenItHangs)
struct DiskAssignmentStoreTests {
    private let rig = ExperimentRig()
    private let unit = ExperimentUnit(name: "userId", id: "u-1")
    private let other = ExperimentUnit(name: "userId", id: "u-2")

    @Test("what one process keeps another reads at once and after a restart; the first to keep wins")
    func shared() async throws {
        let (one, two) = (try rig.open(), try rig.open())
        #expect(try one.lookUp("x", of: unit) == .absent)
        try await one.save([rig.assignment("a")])
        #expect(try two.lookUp("x", of: unit).variant == "a")
        try await two.save([rig.assignment("b")])
        #expect(try one.lookUp("x", of: unit).variant == "a")
        try await two.save([rig.assignment("c", replacing: "zz")])
        #expect(try one.lookUp("x", of: unit).variant == "a")
        try await two.save([rig.assignment("c", replacing: "a")])
        #expect(try one.lookUp("x", of: unit).variant == "c")
        #expect(try rig.open().lookUp("x", of: unit).variant == "c")
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
        try await store.save(kept)
        for one in kept { #expect(try store.lookUp(one.experiment, of: one.unit).variant == one.variant) }
        let all = try await store.assignments(of: ExperimentUnit(name: "a", id: "ab"))
        #expect(all.map(\.experiment).sorted() == texts.sorted())
    }

    @Test("forgetting leaves what is retained, and nothing of all others")
    func forget() async throws {
        let store = try rig.open()
        try await store.save([rig.assignment("a"), rig.assignment("b", of: "y")])
        // More than are deleted in one transaction.
        let database = try SQLiteDatabase(path: rig.storePath)
        try database.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)
            INSERT INTO assignments SELECT 'y', 'userId', 'v-' || i, 'a', 0 FROM n
            """)
        func rows() throws -> Int64? { try database.prepare("SELECT count(*) FROM assignments").number() }
        #expect(try rows() == 10_003)
        try await store.forget(except: ["x", "other"])
        #expect(try rows() == 1)
        #expect(try store.lookUp("x", of: unit).variant == "a")
        try await store.forget(except: [])
        #expect(try rows() == 0)
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
        try await store.save([rig.assignment("a")])
        for name in ["", "-wal", "-shm"] {
            #expect(rig.directory.mode(of: "state/assignments-service.sqlite\(name)") == 0o600)
        }
        #expect(rig.directory.mode(of: "state") == 0o700)
        withExtendedLifetime(store) {}
    }

    @Test("a file that is no database is set aside with a warning, and a fresh one is used")
    func damaged() async throws {
        try FileManager.default.createDirectory(atPath: rig.directory.file("state"), withIntermediateDirectories: true)
        rig.directory.write(String(repeating: "no database ", count: 1000), to: "state/assignments-service.sqlite")
        let experiments = rig.start()
        let warnings = rig.use([.weighted(0, 1, isSticky: true)], in: experiments)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("is damaged and was set aside") == true)
        #expect(experiments.short() == "b assigned*")
        await experiments.settle()
        #expect(experiments.counters.assignmentsStored == 1)
        #expect(FileManager.default.fileExists(atPath: rig.storePath + ".corrupt"))
    }

    @Test("a file that is damaged while it is used is set aside as soon as a read or a write finds out")
    func damagedLater() async throws {
        let first = rig.run(.weighted(0, 1, isSticky: true))
        for user in 0..<500 { _ = first.short("x", "user-\(user)") }
        await first.settle()
        // Moved out of the journal, so that what is spoilt is what is read.
        try SQLiteDatabase(path: rig.storePath).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let file = try FileHandle(forUpdating: URL(filePath: rig.storePath))
        for page in stride(from: 4096, to: try file.seekToEnd(), by: 4096) {
            try file.seek(toOffset: page)
            try file.write(contentsOf: Data(repeating: 0xAB, count: 4096))
        }
        try file.close()
        let second = rig.run(.weighted(1, 0, isSticky: true), isFetched: false)
        for user in 0..<50 { #expect(second.short("x", "user-\(user)").hasPrefix("a assigned")) }
        #expect(second.counters.storeFailures > 0)
        // Any write finds the damage too, and comes after the repair.
        rig.time.advance(by: .seconds(60))
        rig.use([.weighted(1, 0, isSticky: true)], in: second)
        await second.settle()
        #expect(rig.log.contains("is damaged and was set aside"))
        // The repair may have come while the fifty were read, and then it kept the rest of them.
        let before = second.counters.assignmentsStored
        rig.time.advance(by: .seconds(60))
        #expect(second.short("x", "new") == "a assigned*")
        await second.settle()
        #expect(second.counters.assignmentsStored == before + 1)
    }

    @Test("a file of schema version 1 keeps its assignments, which get the time of the change", arguments: [0, 1])
    func oldSchema(version: Int) async throws {
        try FileManager.default.createDirectory(atPath: rig.directory.file("state"), withIntermediateDirectories: true)
        // Version 0 is what a process leaves that ends while it creates the file.
        try SQLiteDatabase(path: rig.storePath).execute(
            """
            PRAGMA journal_mode = WAL;
            CREATE TABLE assignments (
                experiment TEXT NOT NULL, unit TEXT NOT NULL, id TEXT NOT NULL, variant TEXT NOT NULL,
                PRIMARY KEY (experiment, unit, id)
            ) WITHOUT ROWID;
            INSERT INTO assignments VALUES ('x', 'userId', 'u-1', 'b'), ('x', 'userId', 'u-2', 'a');
            PRAGMA user_version = \(version);
            """)
        let store = try rig.open()
        var expected = [rig.assignment("b"), rig.assignment("a", for: "u-2")]
        rig.time.advance(by: .seconds(60))
        expected.append(rig.assignment("c", for: "u-3"))
        try await store.save([expected[2]])
        let reopened = try rig.open()
        for one in expected { #expect(try reopened.lookUp("x", of: one.unit) == .found(one)) }
        #expect(try SQLiteDatabase(path: rig.storePath).prepare("PRAGMA user_version").number() == 2)
    }

    @Test("beyond the limit the oldest are removed, counted and logged once, and their units are drawn anew")
    func limit() async throws {
        let experiments = rig.run(.weighted(0, 1, isSticky: true)) { $0.options.maxStoredAssignments = 10 }
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
        let store = try DiskAssignmentStore(
            path: rig.storePath, document: "d", limit: 1000,
            log: Log(rig.log, level: .debug), time: rig.time
        ) { count in evicted.withLock { $0 += count } }
        for (users, count) in [(0..<1200, 200), (1200..<1209, 200), (1209..<1210, 210)] {
            try await store.save(users.map { rig.assignment("a", for: "\($0)") })
            #expect(evicted.withLock { $0 } == count)
        }
        let rows = try SQLiteDatabase(path: rig.storePath).prepare("SELECT count(*) FROM assignments").number()
        #expect(rows == 1000)
    }

    @Test("an assignment that replaces another has its own time; a unit and what is over can be forgotten")
    func dates() async throws {
        let store = try rig.open()
        try await store.save([rig.assignment("a")])
        rig.time.advance(by: .seconds(10))
        try await store.save([rig.assignment("b")])
        try await store.forget("x", before: rig.time.now.addingTimeInterval(-10))
        #expect(try store.lookUp("x", of: unit).variant == "a")
        try await store.save([rig.assignment("a", replacing: "a")])
        try await store.forget("x", before: rig.time.now)
        #expect(try store.lookUp("x", of: unit) == .found(rig.assignment("a")))
        try await store.forget("y", before: .distantFuture)
        #expect(try store.lookUp("x", of: unit).variant == "a")
        try await store.save([rig.assignment("b", of: "y"), rig.assignment("b", for: "u-2")])
        #expect(try await store.forget(unit) == 2)
        #expect(try await store.forget(unit) == 0)
        #expect(try await store.assignments(of: unit).isEmpty)
        #expect(try store.lookUp("x", of: other).variant == "b")
        try await store.forget("x", before: .distantFuture)
        #expect(try store.lookUp("x", of: other) == .absent)
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
            $0.storePath = "\(disk.path)/assignments-service.sqlite"
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
        for user in 0..<1000 { #expect(experiments.short("x", "later-\(user)").hasPrefix("b assigned")) }
        await experiments.settle()
        // The first few may have found room in a page that was there.
        #expect((0..<1000).contains { experiments.short("x", "later-\($0)") == "b assigned" })
        #expect(experiments.short() == "b sticky*")
        #expect(experiments.counters.storeFailures > failures)
        #expect(1...2 ~= rig.log.records.filter { $0.message.contains("cannot be written") }.count)
        rig.use([.weighted(1, 0, isSticky: true)], in: experiments)
        #expect(experiments.short() == "b sticky*")
    }
}
