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

    private func open() throws -> DiskAssignmentStore {
        try DiskAssignmentStore(
            path: rig.storePath, document: "d", forkGuard: ForkGuard(), log: Log(rig.log, level: .debug), time: rig.time
        )
    }

    private func assignment(_ variant: String, replacing replaced: String? = nil) -> StickyAssignment {
        StickyAssignment(unit: unit, experiment: "x", variant: variant, date: rig.time.now, replaced: replaced)
    }

    @Test("what one process keeps another reads at once and after a restart; the first to keep wins")
    func shared() async throws {
        let (one, two) = (try open(), try open())
        #expect(try one.lookUp("x", of: unit) == .absent)
        try await one.save([assignment("a")])
        #expect(try two.lookUp("x", of: unit).variant == "a")
        try await two.save([assignment("b")])
        #expect(try one.lookUp("x", of: unit).variant == "a")
        try await two.save([assignment("c", replacing: "zz")])
        #expect(try one.lookUp("x", of: unit).variant == "a")
        try await two.save([assignment("c", replacing: "a")])
        #expect(try one.lookUp("x", of: unit).variant == "c")
        #expect(try open().lookUp("x", of: unit).variant == "c")
    }

    @Test("experiment, unit's name and unit's id are told apart, whatever stands in them")
    func keys() async throws {
        let store = try open()
        let texts = ["", "a", "ab", "é😀", "a\u{0}b", "'; DROP TABLE assignments; --"]
        var kept: [StickyAssignment] = []
        for experiment in texts {
            for name in texts {
                for id in texts {
                    let unit = ExperimentUnit(name: name, id: id)
                    kept.append(
                        StickyAssignment(
                            unit: unit, experiment: experiment, variant: "\(kept.count)é\u{0}", date: rig.time.now))
                }
            }
        }
        try await store.save(kept)
        for one in kept { #expect(try store.lookUp(one.experiment, of: one.unit).variant == one.variant) }
        let all = try await store.assignments(of: ExperimentUnit(name: "a", id: "ab"))
        #expect(all.map(\.experiment).sorted() == texts.sorted())
    }

    @Test("forgetting leaves what is retained, and nothing of all others")
    func forget() async throws {
        let store = try open()
        let kept = (0..<25_000).map { user in
            StickyAssignment(
                unit: ExperimentUnit(name: "userId", id: "u-\(user)"),
                experiment: ["x", "y", "z"][user % 3 == 0 ? 0 : 1],
                variant: "a", date: rig.time.now)
        }
        try await store.save(kept)
        try await store.forget(except: ["x", "other"])
        for one in kept {
            #expect(try store.lookUp(one.experiment, of: one.unit).variant == (one.experiment == "x" ? "a" : nil))
        }
        try await store.forget(except: [])
        #expect(try store.lookUp("x", of: ExperimentUnit(name: "userId", id: "u-0")) == .absent)
    }

    @Test("two processes give one unit one variant, also where a later document would draw another")
    func twoProcesses() async {
        let one = rig.run(.weighted(0, 1, isSticky: true))
        let two = rig.run(.weighted(0, 1, isSticky: true))
        for user in 0..<200 { #expect(one.short("x", "u-\(user)") == "b assigned*") }
        await one.settle()
        rig.use([.weighted(1, 0, isSticky: true)], in: two)
        for user in 0..<200 { #expect(two.short("x", "u-\(user)") == "b sticky*") }
    }

    @Test("processes that start, read and write at the same time do not fail")
    func crowd() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { [rig] in
                    let experiments = rig.run(.weighted(1, 1, isSticky: true))
                    for user in 0..<200 { #expect(experiments.short("x", "u-\(user)").hasSuffix("*")) }
                    await experiments.settle()
                    #expect(experiments.counters.storeFailures == 0)
                    #expect(experiments.counters.assignmentsLost == 0)
                }
            }
        }
    }

    @Test("only this user can read the file")
    func mode() async throws {
        let store = try open()
        try await store.save([assignment("a")])
        for name in ["", "-wal", "-shm"] {
            #expect(rig.directory.mode(of: "state/assignments-service.sqlite\(name)") == 0o600)
        }
        #expect(rig.directory.mode(of: "state") == 0o700)
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
        for user in 0..<5000 { _ = first.short("x", "user-\(user)") }
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
        let store = try open()
        let migration = rig.time.now
        rig.time.advance(by: .seconds(60))
        try await store.save([
            StickyAssignment(
                unit: ExperimentUnit(name: "userId", id: "u-3"), experiment: "x", variant: "c", date: rig.time.now)
        ])
        let reopened = try open()
        for (id, variant, date) in [("u-1", "b", migration), ("u-2", "a", migration), ("u-3", "c", rig.time.now)] {
            let unit = ExperimentUnit(name: "userId", id: id)
            let assignment = StickyAssignment(unit: unit, experiment: "x", variant: variant, date: date)
            #expect(try reopened.lookUp("x", of: unit) == .found(assignment))
        }
        let number = try SQLiteDatabase(path: rig.storePath).prepare("PRAGMA user_version").number()
        #expect(number == 2)
        // The check of the SDK that knows version 1 alone.
        let experiments = rig.run(.weighted(1, 0, isSticky: true))
        #expect(experiments.short() == "b sticky*")
    }

    @Test("beyond the limit the oldest are removed, counted and logged once, and their units are drawn anew")
    func limit() async throws {
        let experiments = rig.run(.weighted(0, 1, isSticky: true)) { $0.options.maxStoredAssignments = 10 }
        for user in 0..<10 {
            #expect(experiments.short("x", "u-\(user)") == "b assigned*")
            await experiments.settle()
            rig.time.advance(by: .seconds(1))
        }
        #expect(experiments.counters.assignmentsEvicted == 0)
        for user in 10..<15 {
            #expect(experiments.short("x", "u-\(user)") == "b assigned*")
            await experiments.settle()
        }
        #expect(experiments.counters.assignmentsEvicted == 5)
        #expect(experiments.counters.assignmentsStored == 15)
        #expect(rig.log.records.count == 1)
        #expect(rig.log.contains("experiments: more than 10 assignments are stored; the oldest are removed"))
        let store = try open()
        for user in 0..<15 {
            let stored = try store.lookUp("x", of: ExperimentUnit(name: "userId", id: "u-\(user)")).variant
            #expect(stored == (user < 5 ? nil : "b"))
        }
        let restarted = rig.run(.weighted(1, 0, isSticky: true))
        #expect(restarted.short("x", "u-4") == "a assigned*")
        #expect(restarted.short("x", "u-5") == "b sticky*")
    }

    @Test("of assignments with one time, no more are removed than are too many; each hundredth of the limit is checked")
    func limitOfEqualTimes() async throws {
        let evicted = Locked(0)
        let store = try DiskAssignmentStore(
            path: rig.storePath, document: "d", limit: 1000, forkGuard: ForkGuard(),
            log: Log(rig.log, level: .debug), time: rig.time
        ) { count in evicted.withLock { $0 += count } }
        func save(_ users: Range<Int>) async throws {
            try await store.save(
                users.map {
                    StickyAssignment(
                        unit: ExperimentUnit(name: "userId", id: "\($0)"), experiment: "x", variant: "a",
                        date: rig.time.now)
                })
        }
        try await save(0..<1200)
        #expect(evicted.withLock { $0 } == 200)
        try await save(1200..<1209)
        #expect(evicted.withLock { $0 } == 200)
        try await save(1209..<1210)
        #expect(evicted.withLock { $0 } == 210)
        let count = (0..<1210).count {
            (try? store.lookUp("x", of: ExperimentUnit(name: "userId", id: "\($0)")).variant) == "a"
        }
        #expect(count == 1000)
    }

    @Test("an assignment that replaces another has its own time; a unit and what is over can be forgotten")
    func dates() async throws {
        let store = try open()
        try await store.save([assignment("a")])
        rig.time.advance(by: .seconds(10))
        try await store.save([assignment("b")])
        try await store.forget("x", before: rig.time.now.addingTimeInterval(-10))
        #expect(try store.lookUp("x", of: unit).variant == "a")
        try await store.save([assignment("a", replacing: "a")])
        try await store.forget("x", before: rig.time.now)
        #expect(try store.lookUp("x", of: unit) == .found(assignment("a")))
        try await store.forget("y", before: .distantFuture)
        #expect(try store.lookUp("x", of: unit).variant == "a")
        try await store.save([
            StickyAssignment(unit: unit, experiment: "y", variant: "b", date: rig.time.now),
            StickyAssignment(
                unit: ExperimentUnit(name: "userId", id: "u-2"), experiment: "x", variant: "b", date: rig.time.now),
        ])
        #expect(try await store.forget(unit) == 2)
        #expect(try await store.forget(unit) == 0)
        #expect(try await store.assignments(of: unit).isEmpty)
        #expect(try store.lookUp("x", of: ExperimentUnit(name: "userId", id: "u-2")).variant == "b")
        try await store.forget("x", before: .distantFuture)
        #expect(try store.lookUp("x", of: ExperimentUnit(name: "userId", id: "u-2")) == .absent)
    }

    @Test("a file of a newer version of the SDK is left alone")
    func newer() async throws {
        _ = try open()
        try SQLiteDatabase(path: rig.storePath).execute("PRAGMA user_version = 99")
        let experiments = rig.start()
        let warnings = rig.use([.weighted(0, 1, isSticky: true)], in: experiments)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("written by a newer version") == true)
        #expect(experiments.short() == "b assigned")
    }

    @Test("a store that cannot be opened makes sticky experiments behave as not sticky, with a warning and a counter")
    func cannotBeOpened() async {
        rig.directory.write("", to: "state")
        let experiments = rig.start()
        let warnings = rig.use([.weighted(0, 1, isSticky: true)], in: experiments)
        #expect(warnings.count == 1)
        #expect(
            warnings.first?.contains("cannot be opened; sticky experiments behave as if they were not sticky") == true)
        for _ in 0..<3 { #expect(experiments.short() == "b assigned") }
        #expect(experiments.counters.storeFailures == 1)
        #expect(rig.log.records.isEmpty)
        try? FileManager.default.removeItem(atPath: rig.directory.file("state"))
        #expect(rig.use([.weighted(0, 1, isSticky: true)], in: experiments) == [])
        #expect(experiments.short() == "b assigned*")
    }

    @Test("a read-only disk is as a store that cannot be opened", .enabled(if: Tmpfs.isAllowed, "no mount here"))
    func readOnly() async throws {
        let disk = try Tmpfs(kilobytes: 1024)
        try disk.makeReadOnly()
        let experiments = rig.start { $0.storePath = "\(disk.path)/assignments-service.sqlite" }
        #expect(rig.use([.weighted(0, 1, isSticky: true)], in: experiments).isEmpty == false)
        #expect(experiments.short() == "b assigned")
        #expect(experiments.counters.storeFailures > 0)
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
        #expect(experiments.short("x", "new") == "b assigned")
        #expect(experiments.short("x", "new") == "b assigned")
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

extension AssignmentLookup {
    /// The variant; nil if none was found.
    var variant: String? {
        guard case .found(let assignment) = self else { return nil }
        return assignment.variant
    }
}
