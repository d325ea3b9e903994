import Foundation
import TestSupport
import Testing
import TrackerCore
import TrackerTesting

@testable import TrackerConfig
@testable import TrackerFeatures

/// The files of earlier releases, which had one for each URL, and the file of the service.
@Suite("Assignments of earlier releases", .endsWhenItHangs)
struct FormerAssignmentsTests {
    private static let one = "00000000000000aa"
    private static let two = "00000000000000bb"

    private let rig = ExperimentRig()

    private func path(_ document: String) -> String { rig.directory.file("state/assignments-\(document).sqlite") }

    /// What an earlier release leaves: each row is `experiment unit variant time`.
    @discardableResult
    private func leave(_ document: String, schema: Int = 2, _ rows: [(String, String, String, Int64)]) throws
        -> SQLiteDatabase
    {
        try StandardDirectory.create(rig.directory.file("state"))
        let database = try SQLiteDatabase(path: path(document))
        let time = schema == 2 ? "time INTEGER NOT NULL," : ""
        try database.execute(
            """
            PRAGMA journal_mode = WAL;
            CREATE TABLE IF NOT EXISTS assignments (
                experiment TEXT NOT NULL, unit TEXT NOT NULL, id TEXT NOT NULL, variant TEXT NOT NULL, \(time)
                PRIMARY KEY (experiment, unit, id)
            ) WITHOUT ROWID;
            PRAGMA user_version = \(schema);
            """)
        try database.transaction { () throws(EventStoreError) in
            for (experiment, id, variant, date) in rows {
                let time = schema == 2 ? ", \(date)" : ""
                try database.execute(
                    "INSERT INTO assignments VALUES ('\(experiment)', 'userId', '\(id)', '\(variant)'\(time))")
            }
        }
        return database
    }

    private func open() throws -> DiskAssignmentStore { try rig.open(Self.one) }

    private func stored(_ id: String, _ store: DiskAssignmentStore, of experiment: String = "x") throws -> String? {
        guard case .found(let found) = try store.lookUp(experiment, of: ExperimentUnit(name: "userId", id: id)) else {
            return nil
        }
        return "\(found.variant) \(found.date.milliseconds)"
    }

    private var files: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: rig.directory.file("state"))) ?? []
        return names.filter { $0.hasPrefix("assignments-") && !$0.hasPrefix("assignments-service.") }.sorted()
    }

    @Test("the rows of all files are taken over once, and no other file is removed; the earliest answer counts")
    func takesOver() throws {
        try leave(Self.one, [("x", "u-1", "a", 1000), ("x", "u-2", "a", 2000), ("y", "u-1", "q", 500)])
        try leave(Self.two, [("x", "u-1", "b", 999), ("x", "u-2", "b", 2001), ("x", "u-3", "b", 7)])
        // Rows of the first schema have no time, and get the present.
        try leave("00000000000000cc", schema: 1, [("x", "u-4", "a", 0)])
        let others = ["assignments-.sqlite", "assignments-00000000000000zz.sqlite", "assignments-mine.sqlite"]
        for name in others { rig.directory.write("mine", to: "state/\(name)") }
        let store = try open()
        #expect(store.warnings.isEmpty)
        #expect(files == others)
        #expect(try stored("u-1", store) == "b 999")
        #expect(try stored("u-2", store) == "a 2000")
        #expect(try stored("u-3", store) == "b 7")
        #expect(try stored("u-4", store) == "a \(rig.time.now.milliseconds)")
        #expect(try stored("u-1", store, of: "y") == "q 500")
        #expect(rig.log.contains("3 assignments of \(path(Self.one)), a file of an earlier release, were taken over"))
        #expect(try stored("u-2", open()) == "a 2000")
    }

    @Test("a unit is forgotten in the file of the service although a former file cannot be read, which is said")
    func forgetsBesideAnUnreadableFile() async throws {
        let store = try open()
        let assignment = rig.assignment("a")
        try await store.save([assignment])
        rig.directory.write(String(repeating: "no database ", count: 1000), to: "state/assignments-\(Self.one).sqlite")
        let error = await #expect(throws: EventStoreError.self) { try await store.forget(assignment.unit) }
        #expect(error?.code == .failed && error?.reason.contains(path(Self.one)) == true)
        #expect(try stored("u-1", store) == nil)
    }

    @Test(
        "a take-over that did not end is made up for: the earlier answers count although the document has others since")
    func makesUp() async throws {
        try await open().save([rig.assignment("b")])
        try leave(Self.one, [("x", "u-1", "a", 1000)])
        #expect(try stored("u-1", open()) == "a 1000")
    }

    @Test("a second store of a process leaves the first one's locks: another process keeps the journal", .mayBlock)
    func keepsLocks() async throws {
        let (first, second) = (try open(), try rig.open(Self.two))
        try await first.save([rig.assignment("a")])
        try await second.save([rig.assignment("a", for: "u-2")])
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

    @Test("more rows than one transaction adds are taken over")
    func many() throws {
        let former = try leave(Self.one, [])
        try former.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)
            INSERT INTO assignments SELECT 'x', 'userId', 'u-' || i, 'a', i FROM n
            """)
        let store = try withExtendedLifetime(former) { try open() }
        for id in [1, 10_000, 10_001] { #expect(try stored("u-\(id)", store) == "a \(id)") }
    }

    @Test("a file that a process of an earlier release has open stays, and is taken over at a later start")
    func inUse() async throws {
        var former: SQLiteDatabase? = try leave(Self.one, [("x", "u-1", "a", 1000)])
        let store = try open()
        #expect(try stored("u-1", store) == "a 1000")
        #expect(files.contains("assignments-\(Self.one).sqlite"))
        #expect(rig.log.contains("a process of an earlier release still uses the file"))
        // Both go on: the old process stores another unit, and the new one replaces the variant of the first.
        try former?.execute("INSERT INTO assignments VALUES ('x', 'userId', 'u-2', 'b', 2000)")
        try await store.save([rig.assignment("c", replacing: "a")])
        let new = try stored("u-1", store)
        // Copied once, and again after the end of the old process: else each of many new processes would copy all of it.
        #expect(try stored("u-2", open()) == nil)
        former = nil
        let last = try open()
        #expect(try stored("u-1", last) == new)
        #expect(try stored("u-2", last) == "b 2000")
        #expect(files.isEmpty)
    }

    @Test("what a process left that ended on the way is taken over by the next one")
    func interrupted() throws {
        try leave(Self.one, [("x", "u-1", "a", 1000), ("x", "u-2", "a", 1000)])
        // The first rows were added, and nothing more.
        let database = try AssignmentDatabase(path: rig.storePath, now: rig.time.now)
        let unit = ExperimentUnit(name: "userId", id: "u-1")
        try database.add(
            [StickyAssignment(unit: unit, experiment: "x", variant: "a", date: Date(milliseconds: 1000))],
            of: Self.one, keepsEarlier: true, at: rig.time.now)
        let store = try open()
        for id in ["u-1", "u-2"] { #expect(try stored(id, store) == "a 1000") }
        #expect(files.isEmpty)
    }

    @Test("processes that start at the same time all find the rows")
    func crowd() async throws {
        try leave(Self.one, (0..<100).map { ("x", "u-\($0)", "a", 1000) })
        try leave(Self.two, (0..<100).map { ("x", "v-\($0)", "b", 1000) })
        let found = Locked<[String]>([])
        await Threads.run(4) { _ in
            let rows = Result {
                let store = try open()
                return try "\(stored("u-99", store) ?? "-"), \(stored("v-99", store) ?? "-") \(store.warnings)"
            }
            found.withLock { $0.append((try? rows.get()) ?? "\(rows)") }
        }
        #expect(Set(found.withLock { $0 }) == ["a 1000, b 1000 []"])
        #expect(files.isEmpty)
    }

    @Test("a damaged file is set aside with a warning, and the others are taken over")
    func damaged() throws {
        try leave(Self.two, [("x", "u-1", "a", 1000)])
        rig.directory.write(String(repeating: "no database ", count: 1000), to: "state/assignments-\(Self.one).sqlite")
        let store = try open()
        #expect(store.warnings.count == 1)
        #expect(store.warnings.first?.contains("assignments-\(Self.one).sqlite is damaged and was set aside") == true)
        #expect(files.filter { !$0.hasSuffix(".lock") } == ["assignments-\(Self.one).sqlite.corrupt"])
        #expect(try stored("u-1", store) == "a 1000")
        #expect(try open().warnings.isEmpty)
    }

    @Test("a file that cannot be read stays, with a warning that names it")
    func unreadable() throws {
        try leave(Self.one, [("x", "u-1", "a", 1000)])
        let elsewhere = rig.directory.file("elsewhere.sqlite")
        try FileManager.default.moveItem(atPath: path(Self.one), toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: path(Self.one), withDestinationPath: elsewhere)
        let store = try open()
        #expect(store.warnings.first?.contains("the next start tries again") == true)
        #expect(FileManager.default.fileExists(atPath: elsewhere))
        #expect(try stored("u-1", store) == nil)
    }

    @Test("forgetting a unit reaches the files of earlier releases, also of a process that still runs")
    func forgets() async throws {
        let former = try leave(Self.one, [("x", "u-1", "a", 1000), ("y", "u-1", "a", 1000), ("x", "u-2", "a", 1000)])
        // No experiment is sticky, so that the store was not opened.
        let experiments = rig.run(.weighted(0, 1), isFetched: false)
        #expect(try await experiments.forget(ExperimentUnit(name: "userId", id: "u-1")) == 4)
        try former.execute("INSERT INTO assignments VALUES ('x', 'userId', 'u-3', 'a', 1000)")
        #expect(try await experiments.forget(ExperimentUnit(name: "userId", id: "u-3")) == 1)
        #expect(try former.prepare("SELECT count(*) FROM assignments WHERE id = 'u-1'").number() == 0)
        #expect(try former.prepare("SELECT count(*) FROM assignments").number() == 1)
        #expect(try stored("u-1", open()) == nil)
        #expect(try stored("u-2", open()) == "a 1000")
    }

    @Test("what a document's file had goes with the document's experiments; another document's stays")
    func retention() async throws {
        try leave(Self.one, [("x", "u-1", "a", 1000), ("old", "u-1", "a", 1000)])
        try leave(Self.two, [("theirs", "u-1", "b", 1000)])
        let store = try open()
        try await store.forget(except: ["x"])
        #expect(try stored("u-1", store) == "a 1000")
        #expect(try stored("u-1", store, of: "old") == nil)
        #expect(try stored("u-1", store, of: "theirs") == "b 1000")
    }
}
