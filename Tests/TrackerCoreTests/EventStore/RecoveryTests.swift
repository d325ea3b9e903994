import Foundation
import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

@Suite("what is left of a damaged database", .endsWhenItHangs)
struct RecoveryTests {
    /// The ways in which the pages of a file are damaged.
    private enum Damage: CaseIterable {
        case bytes, headers, pages, circles, truncated, swapped, copied, firstPage, freeList

        func apply(to file: inout Data, _ random: SeededRandom) {
            var dice = random
            let size = StoreFiles.pageSize
            let count = file.count / size
            func page() -> Int { Int.random(in: 0..<count, using: &dice) * size }
            func noise(_ lengths: ClosedRange<Int>) -> Data {
                Data((0..<Int.random(in: lengths, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) })
            }
            func write(_ bytes: Data, at offset: Int) {
                let end = min(offset + bytes.count, file.count)
                if offset < end { file.replaceSubrange(offset..<end, with: bytes.prefix(end - offset)) }
            }
            for _ in 0..<Int.random(in: 1...6, using: &dice) {
                switch self {
                case .bytes: write(noise(1...40), at: Int.random(in: 0..<file.count, using: &dice))
                case .headers: write(noise(1...8), at: page() + Int.random(in: 0..<64, using: &dice))
                case .pages: write(noise(size...size), at: page())
                case .circles:
                    // A child of an inner page becomes another page, or the page itself.
                    for start in stride(from: 0, to: file.count, by: size) where file[start] == 5 {
                        let cells = Int(file[start + 3]) << 8 | Int(file[start + 4])
                        let cell = Int.random(in: 0...cells, using: &dice)
                        let place = start + 12 + 2 * cell
                        let target = cell == cells ? 8 : Int(file[place]) << 8 | Int(file[place + 1])
                        let child =
                            Bool.random(using: &dice) ? start / size + 1 : Int.random(in: 1...count, using: &dice)
                        write(Data([0, 0, 0, UInt8(child)]), at: start + target)
                    }
                case .truncated: file = Data(file.prefix(Int.random(in: 0...file.count, using: &dice)))
                case .swapped, .copied:
                    let (first, second) = (page(), page())
                    let (one, other) = (Data(file[first..<first + size]), Data(file[second..<second + size]))
                    write(one, at: second)
                    if self == .swapped { write(other, at: first) }
                case .firstPage: write(noise(1...20), at: Int.random(in: 0..<120, using: &dice))
                case .freeList:
                    // The list of free pages begins with a page that is in use.
                    write(Data([0, 0, 0, UInt8(page() / size + 1), 0, 0, 0, UInt8(count)]), at: 32)
                }
            }
        }
    }

    private static let name = "events-0.sqlite"

    /// Makes a database of two namespaces with events of many sizes, some of which were removed.
    /// - Parameter hasLog: Whether a part of it is in the log only, as after a kill.
    /// - Returns: Its files, and the events that wait.
    /// - Throws: If it cannot be made.
    private func original(hasLog: Bool) throws -> (files: [String: Data], waiting: Set<[UInt8]>) {
        let directory = TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        var dice = SeededRandom(seed: hasLog ? 1 : 2)
        var waiting: Set<[UInt8]> = []
        let store = try directory.store("events-0")
        for round in 0..<4 {
            for name in ["ns", "other"] {
                let texts = (0..<16).map { number in
                    let isLarge = number == 7 && name == "ns"
                    let length = Int.random(in: isLarge ? 20_000...60_000 : 100...1500, using: &dice)
                    let padding = String(repeating: Character(UnicodeScalar(97 + UInt8(number))), count: length)
                    return #"{"e":"se","eid":"\#(name)-\#(round)-\#(number)","tna":"\#(name)","se_ca":"\#(padding)"}"#
                }
                let key = try store.key(of: name)
                try store.append(texts, key: key, time: Int64(round))
                if round == 2 { _ = try store.remove(try store.oldest(key, limit: 20).map(\.id), of: key) }
                if round == 3 { waiting.formUnion(try store.oldest(key).map(\.payload)) }
            }
            // The last rounds stay in the log.
            if hasLog, round == 1 { try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
        }
        if !hasLog { store.close() }
        var files: [String: Data] = [:]
        for name in directory.names where name.hasPrefix(Self.name) {
            files[name] = try Data(contentsOf: URL(filePath: directory.file(name)))
        }
        return (files, waiting)
    }

    /// Starts a store on the files, and loads and removes all that it has, as if it were sent.
    private func deliver(_ directory: TemporaryDirectory) -> (payloads: [[UInt8]], lines: [String]) {
        let log = MemoryLog()
        let storage = EventStorage.open(in: directory.path, ["ns", "other"], log: log)
        storage.salvageLeftovers()
        var payloads: [[UInt8]] = []
        var replacements = 0
        for index in 0..<2 {
            reading: while replacements < 3 {
                switch storage.load(index, limit: EventAmount(events: 100, bytes: 1 << 20)) {
                case .events(let events, _):
                    if events.isEmpty { break reading }
                    payloads += events.map(\.payload)
                    storage.remove(events, of: index)
                    storage.release(index)
                case .replaced: replacements += 1
                case .failed: break reading
                }
            }
        }
        storage.close()
        return (payloads, log.records.map(\.message))
    }

    private func pages(_ file: Data) -> [Data] {
        stride(from: 0, to: file.count, by: StoreFiles.pageSize).map { Data(file[$0...].prefix(StoreFiles.pageSize)) }
    }

    @Test(
        "damage costs only events in the damaged pages, brings none twice and none that was removed, and fills no disk")
    func deliversWhatIsLeft() throws {
        let (files, waiting) = try original(hasLog: false)
        #expect(files[Self.name + "-wal"]?.isEmpty ?? true)
        let whole = try #require(files[Self.name])
        // The pages in which an event stands; one that goes on in further pages stands in none.
        var places: [[UInt8]: Set<Int>] = [:]
        for (index, page) in pages(whole).enumerated() {
            for payload in waiting where page.range(of: Data(payload)) != nil {
                places[payload, default: []].insert(index)
            }
        }
        #expect(places.count > waiting.count / 2)
        var (lost, intactCount) = (0, 0)
        for seed in 0..<Search.count(18) {
            let damage = Damage.allCases[seed % Damage.allCases.count]
            var file = whole
            damage.apply(to: &file, SeededRandom(seed: Search.seed(UInt64(seed) + 100)))
            let left = pages(file)
            let damaged = pages(whole).enumerated().filter { !left.indices.contains($0) || left[$0] != $1 }.map(
                \.offset)
            let directory = TemporaryDirectory()
            try file.write(to: URL(filePath: directory.file(Self.name)))
            let (payloads, lines) = deliver(directory)
            let delivered = Set(payloads)
            let comment = Comment("seed \(seed), \(damage): \(lines)")
            #expect(delivered.count == payloads.count, comment)
            #expect(delivered.isSubset(of: waiting), comment)
            let intact = places.filter { $0.value.isDisjoint(with: damaged) }.keys
            #expect(intact.allSatisfy(delivered.contains), comment)
            intactCount += intact.count
            if delivered.count < waiting.count { lost += 1 }
            let size = directory.names.reduce(0) { sum, name in
                sum + ((try? FileManager.default.attributesOfItem(atPath: directory.file(name))[.size] as? Int) ?? 0)
            }
            // The damaged file, its rows in the new one with its log, and the staging file.
            #expect(size <= 3 * whole.count + (16 << 20), comment)
        }
        // Damage that costs nothing would test little.
        #expect(lost > 3)
        #expect(intactCount > places.count)
    }

    @Test("events behind damage in the log, which SQLite passes over without a word, are sent and the damage is logged")
    func readsDamagedLogs() throws {
        var (files, waiting) = try original(hasLog: true)
        // The first page in the log.
        files[Self.name + "-wal"]?[32 + 24 + 8000] ^= 1
        let directory = TemporaryDirectory()
        for (name, data) in files { try data.write(to: URL(filePath: directory.file(name))) }
        let (payloads, lines) = deliver(directory)
        // Rows that the damage does not touch are whole even in the damaged page.
        waiting.subtract(payloads)
        #expect(waiting.count <= 2)
        #expect(Set(payloads).count == payloads.count)
        #expect(lines.contains { $0.contains("is damaged and was replaced: its log is damaged") })
    }

    @Test("a salvage that was killed goes on behind what it had copied")
    func goesOn() throws {
        let directory = TemporaryDirectory()
        let ids: [Int64]
        do {
            let store = try directory.store("source")
            let key = try store.key(of: "ns")
            try store.append((1...9).map { #"{"eid":"\#($0)"}"# }, key: key)
            ids = try store.oldest(key).map(\.id)
        }
        let target = try directory.store("target")
        try target.database.execute(
            """
            CREATE TABLE salvages (file TEXT PRIMARY KEY, attempts INTEGER NOT NULL, next INTEGER NOT NULL) WITHOUT ROWID;
            INSERT INTO salvages VALUES ('source', 1, \(ids[4]));
            """)
        let report = try EventSalvage.run(from: directory.file("source.sqlite"), as: "source", into: target)
        // What was lost of the first part is not known any more.
        #expect(report.hasUnknownLoss && report.lostCount == 0)
        #expect(try target.texts(target.key(of: "ns")) == (5...9).map { #"{"eid":"\#($0)"}"# })
    }

    @Test("a salvage reads a file by the size of pages that it has, also if its header states none")
    func wrongPageSize() throws {
        let directory = TemporaryDirectory()
        let source = directory.file("source.sqlite")
        do {
            let store = try directory.store("whole")
            try store.append((1...500).map { #"{"eid":"\#($0)","tna":"ns"}"# }, key: try store.key(of: "ns"))
            try store.database.execute("PRAGMA page_size = 4096; VACUUM INTO '\(source)'")
        }
        let file = try FileHandle(forUpdating: URL(filePath: source))
        try #require(try file.read(upToCount: 18)?.suffix(2) == Data([0x10, 0]))
        try file.seek(toOffset: 16)
        try file.write(contentsOf: Data([0xAB, 0xCD]))
        try file.close()
        #expect(try EventSalvage.run(from: source, as: "source", into: directory.store("target")).savedCount == 500)
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

    /// Makes a store of the namespace `ns` with some events, the first of which have wrong checksums.
    /// - Returns: The ids of the events.
    private func leave(_ count: Int, damaged: Int, in directory: TemporaryDirectory) throws -> [Int64] {
        let store = try directory.store("events-0")
        let key = try store.key(of: "ns")
        try store.append((1...count).map { #"{"eid":"\#($0)"}"# }, key: key)
        let ids = try store.oldest(key).map(\.id)
        try store.database.execute("UPDATE events SET checksum = checksum + 1 WHERE id <= \(ids[damaged - 1])")
        return ids
    }

    @Test("a load that finds damaged rows only goes on behind them")
    func loadsBehindDamagedRows() throws {
        let directory = TemporaryDirectory()
        _ = try leave(5, damaged: 3, in: directory)
        let storage = EventStorage.open(in: directory.path)
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
        let ids = try leave(3, damaged: 3, in: directory)
        try SQLiteDatabase(path: directory.file("events-0.sqlite")).execute("DELETE FROM events WHERE id = \(ids[0])")
        let log = MemoryLog()
        let storage = EventStorage.open(in: directory.path, log: log)
        try storage.disk?.database.execute(
            "CREATE TEMP TRIGGER kept BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'full'); END")
        for single in [nil, ids[0]] {
            let loaded = storage.load(0, limit: EventAmount(events: 9, bytes: .max), single: single)
            guard case .events(let events, _) = loaded else {
                Issue.record("nothing can be loaded")
                return
            }
            #expect(events.isEmpty)
        }
        #expect(log.records.count { $0.message.contains("could not be removed") } == 1)
    }
}
