import TestSupport
import Testing
import TrackerTesting

@testable import TrackerCore

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

@Suite("EventStore", .endsWhenItHangs)
struct EventStoreTests {
    private let directory = TemporaryDirectory()

    static let odd = [
        "../../etc", "a'b\"c`;--", "a\u{0}b", "a", "😀é\u{202E}", "%s%n", "/", ".", String(repeating: "x", count: 4096),
        "\n",
    ]

    private func store(isOnDisk: Bool) throws -> any EventStore {
        if isOnDisk { return try directory.store("db") }
        return MemoryEventStore()
    }

    @Test("events come back in order, whole, and no more than asked for", arguments: [true, false])
    func keepsEvents(isOnDisk: Bool) throws {
        let store = try store(isOnDisk: isOnDisk)
        let key = try store.key(of: "ns")
        let nasty = ["", "a\u{0}b", "'; DROP TABLE events; --", "😀", String(repeating: "y", count: 100_000)]
        try store.append(nasty, key: key)
        try store.append(["last"], key: key, isAnonymous: true)
        #expect(try store.texts(key) == nasty + ["last"])
        #expect(try store.texts(key, limit: 2) == Array(nasty.prefix(2)))
        #expect(try store.oldest(key).map(\.isAnonymous) == [false, false, false, false, false, true])
        #expect(try store.count(key) == 6)
        let ids = try store.oldest(key).map(\.id)
        #expect(ids == ids.sorted() && Set(ids).count == 6)
        let limit = EventAmount(events: 2, bytes: .max)
        #expect(
            try store.events(of: key, from: ids[2], limit: limit, except: [ids[3]]).events.map(\.id) == [
                ids[2], ids[4],
            ])
    }

    @Test("events are removed by their ids, by number and by age, and no others", arguments: [true, false])
    func removes(isOnDisk: Bool) throws {
        let store = try store(isOnDisk: isOnDisk)
        let (key, other) = (try store.key(of: "ns"), try store.key(of: "other"))
        for time in 0..<10 { try store.append(["\(time)"], key: key, time: Int64(time)) }
        try store.append(["o"], key: other)
        let ids = try store.oldest(key).map(\.id)
        #expect(try store.remove([ids[9], ids[4], ids[6]], of: key) == 3)
        #expect(try store.remove([ids[4], ids[9] + 1], of: key) == 0)
        #expect(try store.removeOldest(EventAmount(events: 2, bytes: 0), of: key, after: ids[1]).events == 2)
        #expect(try store.texts(key) == ["0", "1", "5", "7", "8"])
        #expect(try store.removeEvents(of: key, after: ids[0], trackedBefore: 2).events == 1)
        #expect(try store.texts(key) == ["0", "5", "7", "8"])
        // The search stops at the first that is young.
        try store.append(["late"], key: key, time: 1)
        #expect(try store.removeEvents(of: key, after: 0, trackedBefore: 6).events == 2)
        #expect(try store.texts(key) == ["7", "8", "late"])
        #expect(try store.removeOldest(EventAmount(events: 100, bytes: 0), of: key, after: 0).events == 3)
        #expect(try store.texts(other) == ["o"])
    }

    @Test("namespaces are apart, whatever their names", arguments: [true, false])
    func keepsNamespacesApart(isOnDisk: Bool) throws {
        let store = try store(isOnDisk: isOnDisk)
        let keys = try Self.odd.map { try store.key(of: $0) }
        #expect(Set(keys).count == Self.odd.count)
        #expect(try Self.odd.map { try store.key(of: $0) } == keys)
        var batch = EventBatch()
        for round in 0..<2 {
            for (index, name) in Self.odd.enumerated() {
                Array("\(round)\(name)".utf8).withUnsafeBytes {
                    batch.append($0, namespace: index, isAnonymous: false, time: 0)
                }
            }
        }
        try store.append(batch, keys: { keys[$0] }, isSynced: true)
        for (key, name) in zip(keys, Self.odd) { #expect(try store.texts(key) == ["0\(name)", "1\(name)"]) }
        #expect(try store.namespaces().sorted() == Self.odd.sorted())
        _ = try store.removeEvents(of: keys[0], after: 0, trackedBefore: .max)
        #expect(try store.namespaces().sorted() == Self.odd.dropFirst().sorted())
    }

    @Test("a file forgets the oldest of more than 10,000 namespaces when it is opened, and none with events")
    func forgetsNamespaces() throws {
        let session = SessionRecord(
            userID: "u", id: "i", index: 3, previousID: nil, eventIndex: 4, firstEventID: "e", firstEventTime: "t",
            lastActivity: 5)
        let most = Int(SQLiteEventStore.maxNamespaces)
        do {
            let store = try directory.store("db")
            try store.add((0..<most + 50).map { "n\($0)" })
            try store.append(["1"], key: try store.key(of: "n3"))
            for name in ["n1", "n3", "n\(most)"] { try store.save(session, of: try store.key(of: name)) }
            store.close()
        }
        let store = try directory.store("db")
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

    @Test("a batch that fails leaves nothing behind, and the file is for its user only")
    func isAllOrNothing() throws {
        let store = try directory.store("db")
        let key = try store.key(of: "ns")
        try store.append(["1"], key: key)
        for name in directory.names { #expect(directory.mode(of: name) & 0o077 == 0, "\(name)") }
        let id = try store.oldest(key)[0].id
        // Another row has an id that the batch will want.
        try store.database.execute("INSERT INTO events VALUES (\(id + 2), 0, 0, x'78', NULL)")
        #expect(throws: EventStoreError.self) { try store.append(["2", "3"], key: key) }
        #expect(try store.count(key) == 2)
        #expect(try store.texts(key) == ["1"])
    }
}
