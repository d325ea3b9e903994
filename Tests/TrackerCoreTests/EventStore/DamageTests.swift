import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("a damaged event store", .endsWhenItHangs)
struct DamageTests {
    private let directory = TemporaryDirectory()
    private var files: StoreFiles { StoreFiles(directory: directory) }

    /// All numbers that were sent; a test fails if one was sent twice.
    private func sent(_ rig: Rig) -> Set<Int> {
        let numbers = rig.actions.compactMap { Int($0) }
        #expect(Set(numbers).count == numbers.count)
        return Set(numbers)
    }

    @Test(
        "damaged pages cost their own events, which are counted, and salvage waits for no event",
        arguments: [[0.5], [0.3, 0.7]])
    func losesPages(shares: [Double]) async throws {
        try await Rig.leave(1...400, in: directory, seed: 1)
        try files.damage(pages: try files.leaves(shares))
        let rig = Rig(stateDirectory: directory.path, seed: 2)
        let tracker = try await rig.tracker()
        await tracker.flush(timeout: .seconds(60))
        let counters = tracker.counters
        let lost = counters.droppedByReason[.damaged] ?? 0
        #expect(shares.count...shares.count * 100 ~= lost)
        #expect(counters.delivery == Delivery(sent: 400 - lost, stored: 0, dropped: lost))
        #expect(sent(rig).count == 400 - lost)
        #expect(rig.log.records.contains { $0.level == .error && $0.message.contains("\(lost) were lost") })
        #expect(
            rig.log.records.contains { $0.level == .error && $0.namespace == "ns" && $0.message.contains("damaged") })
        #expect(directory.names.contains { $0.hasPrefix("events-0.sqlite.unreadable-") })
    }

    @Test("a damaged page costs its own events only, also the first one and the last but one", arguments: [0, 1])
    func losesPageAtTheEdge(share: Int) async throws {
        try await Rig.leave(1...400, in: directory, seed: 1)
        try files.damage(pages: [try files.leafOfEvents(share)])
        let rig = Rig(stateDirectory: directory.path, seed: 2)
        let tracker = try await rig.tracker()
        await tracker.flush(timeout: .seconds(60))
        #expect(300..<400 ~= sent(rig).count)
        #expect(rig.log.records.contains { $0.level == .error && $0.message.contains("lost") })
    }

    @Test("damage that shows while a process runs is counted by what it had")
    func losesWhileRunning() async throws {
        try await Rig.leave(1...400, in: directory, seed: 1)
        let rig = Rig(stateDirectory: directory.path, seed: 2)
        rig.transport.hold()
        let tracker = try await rig.tracker()
        let held = await rig.transport.next()
        #expect(await tracker.storedCounters().stored == 400)
        #expect(await rig.pipeline.replaceDamagedDisk())
        // Nothing was damaged, so nothing is lost and the file is not needed any more.
        #expect(tracker.counters.stored == 400)
        #expect(tracker.counters.dropped == 0)
        #expect(directory.names.allSatisfy { !$0.contains("damaged") && !$0.contains("unreadable") })
        rig.transport.release()
        // Its events were salvaged, and are sent again.
        held.answer(200)
        await tracker.flush(timeout: .seconds(60))
        #expect(rig.actions.suffix(400) == texts(1...400)[...])
        #expect(tracker.counters.sent == 400)
    }

    @Test("one damaged row costs that row and not its request", arguments: ["post", "get"])
    func losesOneRow(method: String) async throws {
        let configure: (inout ConfigurationBundle) -> Void = { $0.network?.method = HTTPMethod(rawValue: method) }
        try await Rig.leave(1...300, in: directory, seed: 1, configure)
        try files.flip("\"se_ac\":\"150\"", to: "\"se_ac\":\"1_0\"")
        let rig = Rig(stateDirectory: directory.path, seed: 2)
        let tracker = try await rig.tracker("ns", configure)
        await tracker.flush(timeout: .seconds(60))
        #expect(tracker.counters.sent == 299)
        #expect(tracker.counters.droppedByReason == [.damaged: 1])
        #expect(tracker.counters.stored == 0)
        #expect(
            rig.transport.requests.allSatisfy {
                !"\($0.url)\($0.body.map { String(decoding: $0, as: UTF8.self) } ?? "")".contains("1_0")
            })
    }

    @Test("rows of a release without checksums are sent; those that are no events are dropped")
    func readsRowsWithoutChecksum() async throws {
        do {
            let old = try SQLiteDatabase(path: directory.file("events-0.sqlite"))
            try old.execute(
                """
                PRAGMA journal_mode = WAL;
                CREATE TABLE namespaces (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
                CREATE TABLE events (
                    id INTEGER PRIMARY KEY, time INTEGER NOT NULL, anonymous INTEGER NOT NULL, payload BLOB NOT NULL);
                CREATE TABLE sessions (namespace INTEGER PRIMARY KEY, record BLOB NOT NULL);
                INSERT INTO namespaces VALUES (1, 'ns');
                INSERT INTO events VALUES ((1 << 40) + 1, 1700000000000, 0, '{"e":"se","eid":"a","se_ac":"1"}');
                INSERT INTO events VALUES ((1 << 40) + 2, 1700000000000, 0, '{"e":"se","eid":"b","se_ac":"\\u0!0"}');
                INSERT INTO events VALUES ((1 << 40) + 3, 1700000000000, 0, '{"e":"se","eid":"c","se_ac":"3"}');
                PRAGMA user_version = 1;
                """)
        }
        let rig = Rig(stateDirectory: directory.path)
        let tracker = try await rig.tracker("ns") { $0.network?.method = .get }
        await tracker.flush()
        #expect(rig.transport.requests.map { $0.query["se_ac"] } == ["1", "3"])
        #expect(tracker.counters.droppedByReason == [.damaged: 1])
    }

    @Test(
        "a payload that no event has gives some query and no fault",
        arguments: ["{\"a\":\"\\", "{\"a\":\"\\u", "{\"a\":\"\\u00\u{AF}", "{\"a\":\"\\u00  \"}", "", "{", "\\"])
    func writesAnyQuery(payload: String) {
        var writer = ByteWriter(capacity: 16)
        Array(payload.utf8).withUnsafeBytes { writer.append(queryOf: $0) }
        #expect(writer.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    }

    @Test(
        "a number that no namespace and no session can have is damage and not the end of the process",
        arguments: [
            "UPDATE namespaces SET id = 8388607", "UPDATE namespaces SET id = 9223372036854775807",
            "UPDATE namespaces SET id = -1",
        ])
    func boundsNumbers(change: String) async throws {
        try await Rig.leave(1...3, in: directory, seed: 1)
        do { try SQLiteDatabase(path: directory.file("events-0.sqlite")).execute(change) }
        let rig = Rig(stateDirectory: directory.path, seed: 2)
        let tracker = try await rig.tracker()
        tracker.track(4...4)
        await tracker.flush(timeout: .seconds(60))
        // The events themselves name their namespace.
        #expect(sent(rig) == [1, 2, 3, 4])
    }

    @Test("a session whose numbers have no successor begins anew")
    func boundsSessions() throws {
        let record = SessionRecord(
            userID: "u", id: "i", index: 3, previousID: nil, eventIndex: 4, firstEventID: "e", firstEventTime: "t",
            lastActivity: 5)
        #expect(SessionRecord(bytes: record.bytes) == record)
        let keys: [WritableKeyPath<SessionRecord, Int>] = [\.index, \.eventIndex]
        for key in keys {
            for number in [Int.max, -1] {
                var other = record
                other[keyPath: key] = number
                #expect(SessionRecord(bytes: other.bytes) == nil)
            }
        }
    }

    @Test(
        "a full disk and a damaged page: nothing is destroyed, and with room everything that can be read is sent",
        .enabled(if: Tmpfs.isAllowed, "no mount here"))
    func survivesAFullDisk() async throws {
        try await Rig.leave(1...400, in: directory, seed: 1)
        let disk = try Tmpfs(kilobytes: 8192)
        let source = directory.file("events-0.sqlite")
        try FileManager.default.copyItem(atPath: source, toPath: "\(disk.path)/events-0.sqlite")
        let file = try #require(FileHandle(forUpdatingAtPath: "\(disk.path)/events-0.sqlite"))
        try file.seek(toOffset: UInt64(try files.leaves([0.5])[0] * StoreFiles.pageSize))
        try file.write(contentsOf: Data(repeating: 0xAB, count: 16_384))
        try file.close()
        try disk.fill()
        do {
            let rig = Rig(stateDirectory: disk.path, seed: 2)
            let tracker = try await rig.tracker()
            rig.transport.respond { _ in .success(HTTPTransportResponse(status: 503)) }
            tracker.track(1001...1001)
            _ = await tracker.storedCounters()
            await rig.pipeline.shutdown(timeout: .zero)
        }
        try disk.empty()
        let rig = Rig(stateDirectory: disk.path, seed: 3)
        let tracker = try await rig.tracker()
        await rig.pipeline.tend()
        await tracker.flush(timeout: .seconds(60))
        let lost = tracker.counters.droppedByReason[.damaged] ?? 0
        #expect(1...100 ~= lost)
        #expect(sent(rig).subtracting([1001]).count == 400 - lost)
    }

    /// Lets a process store events, and sets their file aside as a damaged one.
    /// - Returns: The file's name.
    private func leaveSetAside() async throws -> String {
        try await Rig.leave(1...5, in: directory, seed: 1)
        let name = "events-0.sqlite.damaged-1-a"
        for end in ["", "-wal"] where directory.names.contains("events-0.sqlite\(end)") {
            try FileManager.default.moveItem(
                atPath: directory.file("events-0.sqlite\(end)"), toPath: directory.file(name + end))
        }
        return name
    }

    @Test("what an earlier process set aside and did not salvage is salvaged at the next start")
    func salvagesLeftovers() async throws {
        let name = try await leaveSetAside()
        let rig = Rig(stateDirectory: directory.path, seed: 2)
        let tracker = try await rig.tracker()
        await rig.pipeline.tend()
        await tracker.flush()
        #expect(sent(rig) == Set(1...5))
        #expect(tracker.counters.addUp(recovered: 5))
        #expect(directory.names.allSatisfy { !$0.hasPrefix(name) })
    }

    @Test("a file whose salvage is given up counts as one damaged event, with an error")
    func countsGivenUp() async throws {
        let name = try await leaveSetAside()
        try directory.store("events-0").database.execute(
            """
            CREATE TABLE salvages (file TEXT PRIMARY KEY, attempts INTEGER NOT NULL, next INTEGER NOT NULL) WITHOUT ROWID;
            INSERT INTO salvages VALUES ('\(name)', \(EventSalvage.maxAttempts), \(Int64.min));
            """)
        let rig = Rig(stateDirectory: directory.path, seed: 2)
        let tracker = try await rig.tracker()
        for _ in 0..<2 { await rig.pipeline.tend() }
        await tracker.flush()
        #expect(tracker.counters.droppedByReason == [.damaged: 1])
        #expect(tracker.counters.addUp(recovered: 1))
        let lines = rig.log.records.filter { $0.message.contains("did not end 2 times, so that it is not begun again") }
        #expect(lines.map(\.level) == [.error])
    }

    @Test(
        "events are salvaged and counted by the bytes of their namespaces, and once, also if the process dies meanwhile"
    )
    func salvagesOnce() throws {
        let (target, source) = (try directory.store("target"), directory.file("source.sqlite"))
        // Equal for Swift, and not for Snowplow.
        let names = ["\u{e9}", "e\u{301}"]
        do {
            let store = try directory.store("source")
            for name in names {
                try store.append([#"{"eid":"\#(name)","tna":"\#(name)"}"#], key: try store.key(of: name))
            }
        }
        let report = try EventSalvage.run(from: source, as: "source", into: target)
        #expect(report.isComplete)
        for name in names { #expect(report.saved[exactly: name]?.events == 1) }
        #expect(try EventSalvage.run(from: source, as: "source", into: target) == EventSalvage.Report())
        for name in names { #expect(try target.count(target.key(of: name)) == 1) }
    }

    @Test("each damage leaves a file beside the store, and none in the place of another; three are kept")
    func keepsLast() async throws {
        var before: Set<String> = []
        for round in 1...4 {
            try await Rig.leave(1...400, in: directory, seed: UInt64(round))
            try files.damage(pages: try files.leaves([0.5]))
            let rig = Rig(stateDirectory: directory.path, seed: UInt64(10 + round))
            let tracker = try await rig.tracker()
            await tracker.flush(timeout: .seconds(60))
            await rig.pipeline.shutdown()
            let kept = directory.names.filter { $0.hasPrefix("events-0.sqlite.unreadable-") && !$0.hasSuffix("-wal") }
            #expect(kept.count == min(round, StateDirectory.maxRemains))
            #expect(round > StateDirectory.maxRemains || Set(kept).subtracting(before).count == 1)
            before = Set(kept)
        }
    }
}
