extension SQLiteEventStore {
    /// Copies what can be read of a damaged database into a store: from both ends up to the damage.
    ///
    /// Each step may fail and the next is tried all the same: the count says how much was saved, and the damaged file
    /// stays beside the new one.
    /// - Returns: How many events there were.
    static func salvage(_ path: String, into target: SQLiteEventStore) -> Int {
        // Zero is the answer where not even the file opens; the caller warns of the damage and of the count.
        guard let damaged = try? SQLiteDatabase(path: path) else { return 0 }
        var names: [Int64: String] = [:]
        // Without the names of some namespaces, the events of the others are saved.
        try? damaged.prepare("SELECT id, CAST(name AS BLOB) FROM namespaces")
            .forEachRow { names[$0.int64(0)] = String(decoding: $0.bytes(1), as: UTF8.self) }
        var rows: [Int64: (time: Int64, isAnonymous: Bool, payload: [UInt8])] = [:]
        for order in ["ASC", "DESC"] {
            // Each way ends at the damage; what was read before it stays read.
            try? damaged.prepare("SELECT id, time, anonymous, payload FROM events ORDER BY id \(order)")
                .forEachRow { rows[$0.int64(0)] = ($0.int64(1), $0.int64(2) != 0, $0.bytes(3)) }
        }
        var salvaged = 0
        for (key, name) in names {
            var batch = EventBatch()
            for (id, row) in rows.sorted(by: { $0.key < $1.key }) where id >> 40 == key && Self.isWhole(row.payload) {
                row.payload.withUnsafeBytes {
                    batch.append($0, outbox: 0, isAnonymous: row.isAnonymous, time: row.time)
                }
            }
            // What the new store does not take is not counted, and stays in the damaged file.
            guard !batch.isEmpty, let targetKey = try? target.key(of: name) else { continue }
            if (try? target.append(batch, keys: [targetKey], isSynced: true)) != nil { salvaged += batch.rows.count }
        }
        return salvaged
    }

    /// Whether bytes from a damaged page are still an event; anything else would spoil its request.
    private static func isWhole(_ payload: [UInt8]) -> Bool {
        guard let node = try? JSONReader.read(payload), case .object(let members) = node.content else { return false }
        return members.contains { $0.name == "eid" }
            && members.allSatisfy { if case .string = $0.value.content { true } else { false } }
    }
}
