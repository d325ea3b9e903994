import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

/// A kind of store and where its file is, if it has one.
enum StoreKind: CaseIterable, Sendable {
    case sqlite
    case memory

    func open(in directory: TemporaryDirectory) throws -> any EventStore {
        switch self {
        case .memory: return MemoryEventStore()
        case .sqlite:
            let lock = try #require(try FileLock(path: directory.file("lock")))
            return try SQLiteEventStore(path: directory.file("db"), lock: lock)
        }
    }
}

extension EventStore {
    /// Adds one event for each payload, tracked at the time that is its number.
    func append(_ payloads: [String], key: Int64, isAnonymous: Bool = false, time: Int64 = 0) throws {
        var batch = EventBatch()
        for payload in payloads {
            Array(payload.utf8).withUnsafeBytes {
                batch.append($0, namespace: 0, isAnonymous: isAnonymous, time: time)
            }
        }
        try append(batch, keys: { _ in key }, isSynced: false)
    }

    /// The oldest events, whatever their size.
    func oldest(_ key: Int64, limit: Int = 1000) throws -> [StoredEvent] {
        try events(of: key, limit: EventAmount(events: limit, bytes: .max), except: []).events
    }

    func texts(_ key: Int64, limit: Int = 1000) throws -> [String] {
        try oldest(key, limit: limit).map { String(decoding: $0.payload, as: UTF8.self) }
    }

    func count(_ key: Int64) throws -> Int { try amount(of: key).events }
}

@Suite("EventStore")
struct EventStoreTests {
    private let directory = TemporaryDirectory()

    static let odd = [
        "../../etc", "a'b\"c`;--", "a\u{0}b", "a", "😀é\u{202E}", "%s%n", "/", ".", String(repeating: "x", count: 4096),
        "\n",
    ]

    @Test("events come back in order, whole, and no more than asked for", arguments: StoreKind.allCases)
    func keepsEvents(kind: StoreKind) throws {
        let store = try kind.open(in: directory)
        let key = try store.key(of: "ns")
        let nasty = ["", "a\u{0}b", "'; DROP TABLE events; --", "😀", String(repeating: "y", count: 100_000)]
        try store.append(nasty, key: key)
        try store.append(["last"], key: key, isAnonymous: true)
        #expect(try store.texts(key) == nasty + ["last"])
        #expect(try store.texts(key, limit: 2) == Array(nasty.prefix(2)))
        #expect(try store.oldest(key, limit: 10).map(\.isAnonymous) == [false, false, false, false, false, true])
        #expect(try store.count(key) == 6)
        let ids = try store.oldest(key, limit: 10).map(\.id)
        #expect(ids == ids.sorted() && Set(ids).count == 6)
    }

    @Test("events are removed by id, and only those that are there count", arguments: StoreKind.allCases)
    func removesById(kind: StoreKind) throws {
        let store = try kind.open(in: directory)
        let key = try store.key(of: "ns")
        try store.append((0..<10).map { "\($0)" }, key: key)
        let ids = try store.oldest(key, limit: 10).map(\.id)
        #expect(try store.remove([], of: key) == 0)
        #expect(try store.remove(Array(ids[0...2]), of: key) == 3)
        #expect(try store.remove([ids[9], ids[4], ids[6]], of: key) == 3)
        #expect(try store.remove([ids[0], ids[9] + 1], of: key) == 0)
        #expect(try store.texts(key) == ["3", "5", "7", "8"])
        #expect(try store.count(key) == 4)
    }

    @Test("the oldest are removed after an id only", arguments: StoreKind.allCases)
    func removesOldest(kind: StoreKind) throws {
        let store = try kind.open(in: directory)
        let key = try store.key(of: "ns")
        let other = try store.key(of: "other")
        try store.append((0..<10).map { "\($0)" }, key: key)
        try store.append(["o"], key: other)
        let ids = try store.oldest(key, limit: 10).map(\.id)
        #expect(try store.removeOldest(EventAmount(events: 2, bytes: 0), of: key, after: ids[3]).events == 2)
        #expect(try store.texts(key) == ["0", "1", "2", "3", "6", "7", "8", "9"])
        #expect(try store.removeOldest(EventAmount(events: 3, bytes: 0), of: key, after: 0).events == 3)
        #expect(try store.removeOldest(EventAmount(events: 0, bytes: 0), of: key, after: 0).events == 0)
        #expect(try store.removeOldest(EventAmount(events: 100, bytes: 0), of: key, after: 0).events == 5)
        #expect(try store.texts(other) == ["o"])
    }

    @Test("events before a time are removed, after an id only", arguments: StoreKind.allCases)
    func removesByAge(kind: StoreKind) throws {
        let store = try kind.open(in: directory)
        let key = try store.key(of: "ns")
        for time in 1...6 { try store.append(["\(time)"], key: key, time: Int64(time)) }
        let ids = try store.oldest(key, limit: 10).map(\.id)
        #expect(try store.removeEvents(of: key, after: 0, trackedBefore: 1).events == 0)
        #expect(try store.removeEvents(of: key, after: ids[0], trackedBefore: 3).events == 1)
        #expect(try store.texts(key) == ["1", "3", "4", "5", "6"])
        #expect(try store.removeEvents(of: key, after: 0, trackedBefore: 5).events == 3)
        #expect(try store.removeEvents(of: key, after: 0, trackedBefore: .max).events == 2)
        #expect(try store.removeEvents(of: key, after: 0, trackedBefore: .max).events == 0)
    }

    @Test(
        "a search for old events stops at the first that is young, whatever comes behind it",
        arguments: StoreKind.allCases)
    func stopsAtTheFirstYoung(kind: StoreKind) throws {
        let store = try kind.open(in: directory)
        let key = try store.key(of: "ns")
        for time in [1, 2, 9, 1] { try store.append(["\(time)"], key: key, time: Int64(time)) }
        let limit = EventAmount(events: 10, bytes: .max)
        #expect(try store.events(of: key, after: 0, trackedBefore: 3, limit: limit).count == 2)
        #expect(try store.removeEvents(of: key, after: 0, trackedBefore: 3) == EventAmount(events: 2, bytes: 2))
        #expect(try store.texts(key) == ["9", "1"])
    }

    @Test("events are read from an id on", arguments: StoreKind.allCases)
    func readsFromAnID(kind: StoreKind) throws {
        let store = try kind.open(in: directory)
        let key = try store.key(of: "ns")
        try store.append((0..<5).map { "\($0)" }, key: key)
        let ids = try store.oldest(key).map(\.id)
        let limit = EventAmount(events: 2, bytes: .max)
        let found = try store.events(of: key, from: ids[2], limit: limit, except: [ids[3]])
        #expect(found.events.map(\.id) == [ids[2], ids[4]])
        #expect(try store.events(of: key, from: ids[4] + 1, limit: limit, except: []).events == [])
    }

    @Test("namespaces are apart, whatever their names", arguments: StoreKind.allCases)
    func keepsNamespacesApart(kind: StoreKind) throws {
        let store = try kind.open(in: directory)
        let keys = try Self.odd.map { try store.key(of: $0) }
        #expect(Set(keys).count == Self.odd.count)
        #expect(try Self.odd.map { try store.key(of: $0) } == keys)
        for (key, name) in zip(keys, Self.odd) { try store.append([name, name], key: key) }
        for (key, name) in zip(keys, Self.odd) { #expect(try store.texts(key) == [name, name]) }
        #expect(try store.namespaces().sorted() == Self.odd.sorted())
        _ = try store.removeEvents(of: keys[0], after: 0, trackedBefore: .max)
        #expect(try store.namespaces().sorted() == Self.odd.dropFirst().sorted())
    }

    @Test("a batch of several namespaces is divided among them", arguments: StoreKind.allCases)
    func dividesBatches(kind: StoreKind) throws {
        let store = try kind.open(in: directory)
        let keys = [try store.key(of: "a"), try store.key(of: "b")]
        var batch = EventBatch()
        for number in 0..<6 {
            Array("\(number)".utf8).withUnsafeBytes {
                batch.append($0, namespace: number % 2, isAnonymous: false, time: 0)
            }
        }
        try store.append(batch, keys: { keys[$0] }, isSynced: true)
        #expect(try store.texts(keys[0]) == ["0", "2", "4"])
        #expect(try store.texts(keys[1]) == ["1", "3", "5"])
    }

    @Test("many come and go", arguments: StoreKind.allCases)
    func comeAndGo(kind: StoreKind) throws {
        let store = try kind.open(in: directory)
        let key = try store.key(of: "ns")
        var expected: [String] = []
        for round in 0..<20 {
            let new = (0..<1000).map { "\(round)-\($0)" }
            try store.append(new, key: key)
            expected += new
            let gone = try store.oldest(key, limit: 700)
            #expect(try store.remove(gone.map(\.id), of: key) == 700)
            expected.removeFirst(700)
        }
        #expect(try store.texts(key, limit: 100_000) == expected)
    }

    @Test("SQLite's rows outlive the store, in order, and later ones follow them")
    func survives() throws {
        do {
            let store = try StoreKind.sqlite.open(in: directory)
            try store.append(["1", "2", "3"], key: try store.key(of: "ns"), isAnonymous: true)
            try #require(store as? SQLiteEventStore).close()
        }
        let store = try StoreKind.sqlite.open(in: directory)
        let key = try store.key(of: "ns")
        try store.append(["4"], key: key)
        #expect(try store.texts(key) == ["1", "2", "3", "4"])
        #expect(try store.oldest(key, limit: 9).map(\.isAnonymous) == [true, true, true, false])
    }

    @Test("a file forgets the oldest of more than 10,000 namespaces when it is opened, and none with events")
    func forgetsNamespaces() throws {
        let session = SessionRecord(
            userID: "u", id: "i", index: 3, previousID: nil, eventIndex: 4, firstEventID: "e", firstEventTime: "t",
            lastActivity: 5)
        let most = Int(SQLiteEventStore.maxNamespaces)
        do {
            let store = try #require(try StoreKind.sqlite.open(in: directory) as? SQLiteEventStore)
            try store.add((0..<most + 50).map { "n\($0)" })
            try store.append(["1"], key: try store.key(of: "n3"))
            for name in ["n1", "n3", "n\(most)"] { try store.save(session, of: try store.key(of: name)) }
            store.close()
        }
        let store = try #require(try StoreKind.sqlite.open(in: directory) as? SQLiteEventStore)
        #expect(
            try store.database.prepare("SELECT count(*) FROM namespaces").number() == SQLiteEventStore.maxNamespaces)
        #expect(try store.namespaces() == ["n3"])
        #expect(try store.texts(store.key(of: "n3")) == ["1"])
        #expect(try store.sessions().map(\.namespace) == ["n3", "n\(most)"])
        // A name that was forgotten gets a number of its own.
        let new = try store.key(of: "n1")
        #expect(try store.count(new) == 0)
        #expect(try store.key(of: "n3") != new)
    }

    @Test("a batch that fails leaves nothing behind")
    func isAllOrNothing() throws {
        let store = try StoreKind.sqlite.open(in: directory)
        let key = try store.key(of: "ns")
        try store.append(["1"], key: key)
        let id = try store.oldest(key, limit: 1)[0].id
        // Another row has an id that the batch will want.
        let database = try #require(store as? SQLiteEventStore).database
        try database.execute("INSERT INTO events VALUES (\(id + 2), 0, 0, x'78', NULL)")
        #expect(throws: EventStoreError.self) { try store.append(["2", "3"], key: key) }
        #expect(try store.count(key) == 2)
        #expect(try store.texts(key) == ["1"])
    }

    @Test("the file is for its user only")
    func isPrivate() throws {
        let store = try StoreKind.sqlite.open(in: directory)
        try store.append(["1"], key: try store.key(of: "ns"))
        for name in directory.names { #expect(directory.mode(of: name) & 0o077 == 0, "\(name)") }
    }
}
