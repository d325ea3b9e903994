import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("what is left of a damaged database", .endsWhenItHangs)
struct RecoveryTests {
    /// The ways in which the pages of a file are damaged.
    private enum Damage: Int, CaseIterable {
        case bytes, headers, pages, circles, truncated, swapped, copied, firstPage, freeList, log

        func apply(to files: inout [String: Data], _ dice: inout SeededRandom) {
            let size = StoreFiles.pageSize
            let main = "events-0.sqlite"
            var file = files[main] ?? Data()
            let count = file.count / size
            func page(_ dice: inout SeededRandom) -> Int { Int.random(in: 0..<count, using: &dice) * size }
            func write(_ bytes: [UInt8], at offset: Int) {
                let end = min(offset + bytes.count, file.count)
                if offset < end { file.replaceSubrange(offset..<end, with: bytes.prefix(end - offset)) }
            }
            func noise(_ count: Int, _ dice: inout SeededRandom) -> [UInt8] {
                (0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) }
            }
            let rounds = Int.random(in: 1...6, using: &dice)
            switch self {
            case .bytes:
                for _ in 0..<rounds * 4 {
                    let length = Int.random(in: 1...40, using: &dice)
                    write(noise(length, &dice), at: Int.random(in: 0..<file.count, using: &dice))
                }
            case .headers:
                for _ in 0..<rounds {
                    let start = page(&dice) + Int.random(in: 0..<64, using: &dice)
                    let length = Int.random(in: 1...8, using: &dice)
                    write(noise(length, &dice), at: start)
                }
            case .pages:
                for _ in 0..<rounds {
                    let start = page(&dice)
                    write(noise(size, &dice), at: start)
                }
            case .circles:
                // Children of inner pages become other pages, or the page itself.
                for start in stride(from: 0, to: file.count, by: size) where file[start] == 5 {
                    let cells = Int(file[start + 3]) << 8 | Int(file[start + 4])
                    for _ in 0..<rounds {
                        let cell = Int.random(in: 0...cells, using: &dice)
                        let place = start + 12 + 2 * cell
                        let target =
                            cell == cells ? start + 8 : start + (Int(file[place]) << 8 | Int(file[place + 1]))
                        let child = UInt8(Int.random(in: 1...min(count, 255), using: &dice))
                        write([0, 0, 0, Bool.random(using: &dice) ? UInt8(start / size + 1) : child], at: target)
                    }
                }
            case .truncated: file = file.prefix(Int.random(in: 0...file.count, using: &dice))
            case .swapped, .copied:
                for _ in 0..<rounds {
                    let (first, second) = (page(&dice), page(&dice))
                    let (one, other) = (Array(file[first..<first + size]), Array(file[second..<second + size]))
                    write(one, at: second)
                    if self == .swapped { write(other, at: first) }
                }
            case .firstPage:
                for _ in 0..<rounds {
                    let start = Int.random(in: 0..<120, using: &dice)
                    let length = Int.random(in: 1...20, using: &dice)
                    write(noise(length, &dice), at: start)
                }
            case .freeList:
                // The list of free pages begins with a page that is in use.
                write([0, 0, 0, UInt8(Int.random(in: 1...count, using: &dice)), 0, 0, 0, UInt8(count)], at: 32)
            case .log:
                guard var log = files[main + "-wal"], !log.isEmpty else { break }
                for _ in 0..<rounds {
                    let offset = Int.random(in: 0..<log.count, using: &dice)
                    log[offset] ^= UInt8.random(in: 1...255, using: &dice)
                }
                files[main + "-wal"] = log
            }
            files[main] = file
        }
    }

    /// What the test's database has: the events that wait, and those that were removed before.
    private struct Original {
        var files: [String: Data] = [:]
        var waiting: [Int64: [UInt8]] = [:]
        var removed: Set<[UInt8]> = []
    }

    /// Makes a database of two namespaces with events of many sizes.
    /// - Parameter hasLog: Whether a part of it is in the log only, as after a kill.
    /// - Returns: Its files, and what is in them.
    /// - Throws: If it cannot be made.
    private func original(hasLog: Bool) throws -> Original {
        let directory = TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        var dice = SeededRandom(seed: hasLog ? 1 : 2)
        var original = Original()
        let lock = try #require(try FileLock(path: directory.file("events-0.lock")))
        let store = try SQLiteEventStore(path: directory.file("events-0.sqlite"), lock: lock)
        for round in 0..<4 {
            for name in ["ns", "other"] {
                let key = try store.key(of: name)
                let texts = (0..<16).map { number in
                    let length =
                        number == 7 && name == "ns"
                        ? Int.random(in: 20_000...60_000, using: &dice) : Int.random(in: 100...1500, using: &dice)
                    let padding = String(repeating: Character(UnicodeScalar(97 + UInt8(number))), count: length)
                    return #"{"e":"se","eid":"\#(name)-\#(round)-\#(number)","tna":"\#(name)","se_ca":"\#(padding)"}"#
                }
                try store.append(texts, key: key, time: Int64(round))
                if round == 2 {
                    let sent = try store.oldest(key, limit: 20)
                    _ = try store.remove(sent.map(\.id), of: key)
                    original.removed.formUnion(sent.map(\.payload))
                }
            }
            // The last rounds stay in the log.
            if hasLog, round == 1 { try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
        }
        for name in ["ns", "other"] {
            for event in try store.oldest(store.key(of: name)) { original.waiting[event.id] = event.payload }
        }
        if !hasLog { store.close() }
        for name in directory.names where name.hasPrefix("events-0.sqlite") {
            original.files[name] = try Data(contentsOf: URL(filePath: directory.file(name)))
        }
        return original
    }

    /// Starts a store on the files, and loads and removes all that it has, as if it were sent.
    private func deliver(_ directory: TemporaryDirectory) throws -> (payloads: [[UInt8]], lines: [String]) {
        let log = MemoryLog()
        let storage = EventStorage(
            directory: StateDirectory(path: directory.path, service: "tests"), namespaces: nil, deadLetters: .off,
            time: ManualTime(), log: Log(log, level: .trace))
        storage.add(["ns", "other"]) { _ in nil }
        storage.salvageLeftovers()
        var payloads: [[UInt8]] = []
        var replacements = 0
        for index in 0..<2 {
            reading: while true {
                switch storage.load(index, limit: EventAmount(events: 100, bytes: 1 << 20)) {
                case .events(let events, _):
                    if events.isEmpty { break reading }
                    payloads += events.map(\.payload)
                    storage.remove(events, of: index)
                    storage.release(index)
                case .replaced:
                    replacements += 1
                    if replacements > 2 { break reading }
                case .failed: break reading
                }
            }
        }
        storage.close()
        return (payloads, log.records.map(\.message))
    }

    /// A database with what its log has: of each page the newest image in the log that is as the store wrote it.
    private func whole(_ files: [String: Data], _ original: Original) -> Data {
        let (main, size) = ("events-0.sqlite", StoreFiles.pageSize)
        var file = Array(files[main] ?? Data())
        let (log, sound) = (Array(files[main + "-wal"] ?? Data()), Array(original.files[main + "-wal"] ?? Data()))
        for start in stride(from: 32, to: log.count, by: 24 + size) {
            let frame = start..<start + 24 + size
            guard log[frame] == sound[frame] else { continue }
            let page = (Int(log[start + 2]) << 8 | Int(log[start + 3])) - 1
            if file.count < (page + 1) * size { file += [UInt8](repeating: 0, count: (page + 1) * size - file.count) }
            file.replaceSubrange(page * size..<(page + 1) * size, with: log[(start + 24)...].prefix(size))
        }
        return Data(file)
    }

    @Test("of 200 damaged databases all rows with right checksums are delivered, once, and nothing more")
    func deliversWhatIsLeft() throws {
        let originals = [try original(hasLog: false), try original(hasLog: true)]
        for (original, hasLog) in zip(originals, [false, true]) {
            #expect(original.files["events-0.sqlite-wal"]?.isEmpty ?? true == !hasLog)
            #expect(Set(StoredRows(whole(original.files, original)).payloads.values) == Set(original.waiting.values))
        }
        var lost = 0
        for seed in 0..<200 {
            let damage = Damage.allCases[seed % Damage.allCases.count]
            let original = originals[damage == .log ? 1 : seed / Damage.allCases.count % 2]
            var dice = SeededRandom(seed: UInt64(seed) + 100)
            var files = original.files
            damage.apply(to: &files, &dice)
            let directory = TemporaryDirectory()
            for (name, data) in files { try data.write(to: URL(filePath: directory.file(name))) }
            let size = files.values.reduce(0) { $0 + $1.count }
            let (payloads, lines) = try deliver(directory)
            let delivered = Set(payloads)
            let comment = Comment("seed \(seed), \(damage): \(lines)")
            #expect(delivered.count == payloads.count, comment)
            let rows = Set(StoredRows(whole(files, original)).payloads.values)
            #expect(rows.subtracting(delivered).count == 0, comment)
            // The rows of a damaged page of the log may be whole; after damage to it, its last removals may be unknown.
            let waiting = Set(original.waiting.values)
            #expect(delivered.isSubset(of: damage == .log ? waiting.union(original.removed) : rows), comment)
            if delivered.count < waiting.count { lost += 1 }
            let left = directory.names.reduce(0) { sum, name in
                sum + ((try? FileManager.default.attributesOfItem(atPath: directory.file(name))[.size] as? Int) ?? 0)
            }
            // The damaged file, its rows in the new one with its log, and the staging file.
            #expect(left <= 3 * size + (16 << 20), comment)
        }
        // Damage that costs nothing would test little.
        #expect(lost > 50)
    }

    @Test("a damaged database of a release that had no checksums and fewer tables is salvaged")
    func readsEarlierReleases() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("events-0.sqlite")
        func payload(_ id: String) -> String { #"{"e":"se","eid":"\#(id)","tna":"ns"}"# }
        do {
            try SQLiteDatabase(path: path).execute(
                """
                PRAGMA journal_mode = WAL;
                CREATE TABLE namespaces (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
                CREATE TABLE events (
                    id INTEGER PRIMARY KEY, time INTEGER NOT NULL, anonymous INTEGER NOT NULL, payload BLOB NOT NULL);
                CREATE TABLE sessions (namespace INTEGER PRIMARY KEY, record BLOB NOT NULL);
                INSERT INTO namespaces VALUES (1, 'ns');
                INSERT INTO events VALUES ((1 << 40) + 1, 1700000000000, 0, CAST('\(payload("a"))' AS BLOB));
                INSERT INTO events VALUES ((1 << 40) + 2, 1700000000000, 0, CAST('{"e":"se","eid"!' AS BLOB));
                INSERT INTO events VALUES ((1 << 40) + 3, 1700000000000, 1, CAST('\(payload("c"))' AS BLOB));
                PRAGMA user_version = 1;
                """)
        }
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[0] ^= 1
        try bytes.write(to: URL(filePath: path))
        let (payloads, lines) = try deliver(directory)
        #expect(payloads.map { String(decoding: $0, as: UTF8.self) } == [payload("a"), payload("c")])
        #expect(lines.contains { $0.contains("2 events of") && $0.contains("were salvaged") }, "\(lines)")
    }

    @Test("a salvage that did not end twice is not begun again, and its file is kept")
    func givesUp() throws {
        let directory = TemporaryDirectory()
        let source = directory.file("source.sqlite")
        do {
            let store = try SQLiteEventStore(path: source, lock: try #require(try FileLock(path: directory.file("m"))))
            try store.append([#"{"eid":"a"}"#], key: try store.key(of: "ns"))
        }
        let target = try SQLiteEventStore(
            path: directory.file("target.sqlite"), lock: try #require(try FileLock(path: directory.file("l"))))
        try target.database.execute(
            """
            CREATE TABLE salvages (file TEXT PRIMARY KEY, attempts INTEGER NOT NULL, next INTEGER NOT NULL) WITHOUT ROWID;
            INSERT INTO salvages VALUES ('once', 1, \(Int64.min)), ('twice', 2, \(Int64.min));
            """)
        let report = try EventSalvage.run(from: source, as: "twice", into: target)
        #expect(report.isGivenUp && !report.isComplete && report.savedCount == 0)
        #expect(try EventSalvage.run(from: source, as: "once", into: target).savedCount == 1)
    }

    @Test("a salvage that was killed goes on behind what it had copied")
    func goesOn() throws {
        let directory = TemporaryDirectory()
        let source = directory.file("source.sqlite")
        let ids: [Int64]
        do {
            let store = try SQLiteEventStore(path: source, lock: try #require(try FileLock(path: directory.file("m"))))
            let key = try store.key(of: "ns")
            try store.append((1...9).map { #"{"eid":"\#($0)"}"# }, key: key)
            ids = try store.oldest(key).map(\.id)
        }
        let target = try SQLiteEventStore(
            path: directory.file("target.sqlite"), lock: try #require(try FileLock(path: directory.file("l"))))
        try target.database.execute(
            """
            CREATE TABLE salvages (file TEXT PRIMARY KEY, attempts INTEGER NOT NULL, next INTEGER NOT NULL) WITHOUT ROWID;
            INSERT INTO salvages VALUES ('source', 1, \(ids[4]));
            """)
        let report = try EventSalvage.run(from: source, as: "source", into: target)
        // What was lost of the first part is not known any more.
        #expect(report.hasUnknownLoss && report.lostCount == 0)
        #expect(try target.texts(target.key(of: "ns")) == (5...9).map { #"{"eid":"\#($0)"}"# })
    }

    @Test("a salvage reads a file by the size of pages that it has, also if its header states none")
    func wrongPageSize() throws {
        let directory = TemporaryDirectory()
        let (whole, source) = (directory.file("whole.sqlite"), directory.file("source.sqlite"))
        do {
            let store = try SQLiteEventStore(path: whole, lock: try #require(try FileLock(path: directory.file("m"))))
            try store.append((1...500).map { #"{"eid":"\#($0)","tna":"ns"}"# }, key: try store.key(of: "ns"))
            try store.database.execute("PRAGMA page_size = 4096; VACUUM INTO '\(source)'")
        }
        let file = try FileHandle(forUpdating: URL(filePath: source))
        try #require(try file.read(upToCount: 18)?.suffix(2) == Data([0x10, 0]))
        try file.seek(toOffset: 16)
        try file.write(contentsOf: Data([0xAB, 0xCD]))
        try file.close()
        let target = try SQLiteEventStore(
            path: directory.file("target.sqlite"), lock: try #require(try FileLock(path: directory.file("l"))))
        #expect(try EventSalvage.run(from: source, as: "source", into: target).savedCount == 500)
    }

    @Test(
        "a salvage commits after 1,000 rows or 4 MiB",
        arguments: [(2500, 10, [0, 1000, 2000, 2500]), (9, 1 << 20, [0, 4, 8, 9])])
    func commits(count: Int, size: Int, commits: [Int]) throws {
        let directory = TemporaryDirectory()
        let source = directory.file("source.sqlite")
        do {
            let store = try SQLiteEventStore(path: source, lock: try #require(try FileLock(path: directory.file("m"))))
            let text = String(repeating: "x", count: size)
            try store.append((1...count).map { #"{"eid":"\#($0)","se_la":"\#(text)"}"# }, key: try store.key(of: "ns"))
        }
        let target = try SQLiteEventStore(
            path: directory.file("target.sqlite"), lock: try #require(try FileLock(path: directory.file("l"))))
        // Each commit notes how far the salvage is.
        try target.database.execute(
            """
            CREATE TABLE salvages (file TEXT PRIMARY KEY, attempts INTEGER NOT NULL, next INTEGER NOT NULL) WITHOUT ROWID;
            CREATE TABLE commits (events INTEGER NOT NULL);
            CREATE TRIGGER noted AFTER INSERT ON salvages
            BEGIN INSERT INTO commits SELECT count(*) FROM events; END;
            """)
        #expect(try EventSalvage.run(from: source, as: "source", into: target).savedCount == count)
        var found: [Int] = []
        try target.database.prepare("SELECT events FROM commits ORDER BY rowid").forEachRow {
            found.append(Int($0.int64(0)))
        }
        #expect(found == commits)
    }

    @Test("events behind damage in the log, which SQLite passes over without a word, are sent and the damage is logged")
    func readsDamagedLogs() throws {
        let original = try original(hasLog: true)
        var files = original.files
        // The first page in the log.
        files["events-0.sqlite-wal"]?[32 + 24 + 8000] ^= 1
        let directory = TemporaryDirectory()
        for (name, data) in files { try data.write(to: URL(filePath: directory.file(name))) }
        let (payloads, lines) = try deliver(directory)
        // Rows that the damage does not touch are whole even in the damaged page.
        #expect(Set(original.waiting.values).subtracting(payloads).count <= 2)
        #expect(Set(payloads).count == payloads.count)
        #expect(lines.contains { $0.contains("is damaged and was replaced: its log is damaged") })
    }

    @Test(
        "a statement that goes in circles, or gives rows out of their order, ends as damage",
        arguments: [
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
            "SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 2",
        ])
    func boundsStatements(sql: String) throws {
        let directory = TemporaryDirectory()
        let database = try SQLiteDatabase(path: directory.file("db"))
        let statement = try database.prepare(sql)
        let error = #expect(throws: EventStoreError.self) { try statement.forEachRow(inOrder: true) { _ in } }
        #expect(error?.code == .corrupt)
        // The next one has its own bound.
        #expect(try database.prepare("SELECT 7").number() == 7)
    }

    @Test("a load that finds damaged rows only goes on behind them")
    func loadsBehindDamagedRows() throws {
        let directory = TemporaryDirectory()
        do {
            let lock = try #require(try FileLock(path: directory.file("events-0.lock")))
            let store = try SQLiteEventStore(path: directory.file("events-0.sqlite"), lock: lock)
            try store.append((1...5).map { #"{"eid":"\#($0)"}"# }, key: try store.key(of: "ns"))
            try store.database.execute("UPDATE events SET checksum = checksum + 1 WHERE id & 1023 < 4")
        }
        let storage = EventStorage(
            directory: StateDirectory(path: directory.path, service: "tests"), namespaces: nil, deadLetters: .off,
            time: ManualTime(), log: Log(nil, level: .off))
        storage.add(["ns"]) { _ in nil }
        // As with `emitRange` 1.
        guard case .events(let events, _) = storage.load(0, limit: EventAmount(events: 1, bytes: .max)) else {
            Issue.record("nothing can be loaded")
            return
        }
        #expect(events.map { String(decoding: $0.payload, as: UTF8.self) } == [#"{"eid":"4"}"#])
        #expect(storage.amount(of: 0).events == 2)
    }
    @Test("a single event that is gone is not looked for, again and again, among damaged rows that a full disk keeps")
    func passesOverKeptRows() throws {
        let directory = TemporaryDirectory()
        let ids: [Int64]
        do {
            let lock = try #require(try FileLock(path: directory.file("events-0.lock")))
            let store = try SQLiteEventStore(path: directory.file("events-0.sqlite"), lock: lock)
            let key = try store.key(of: "ns")
            try store.append((1...3).map { #"{"eid":"\#($0)"}"# }, key: key)
            ids = try store.oldest(key).map(\.id)
            _ = try store.remove([ids[0]], of: key)
            try store.database.execute("UPDATE events SET checksum = checksum + 1")
        }
        let log = MemoryLog()
        let storage = EventStorage(
            directory: StateDirectory(path: directory.path, service: "tests"), namespaces: nil, deadLetters: .off,
            time: ManualTime(), log: Log(log, level: .info))
        storage.add(["ns"]) { _ in nil }
        try storage.disk?.database.execute(
            "CREATE TEMP TRIGGER kept BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'full'); END")
        for single in [nil, ids[0]] {
            guard
                case .events(let events, _) = storage.load(
                    0, limit: EventAmount(events: 9, bytes: .max), single: single)
            else {
                Issue.record("nothing can be loaded")
                return
            }
            #expect(events.isEmpty)
        }
        #expect(log.records.count { $0.message.contains("could not be removed") } == 1)
    }
}
