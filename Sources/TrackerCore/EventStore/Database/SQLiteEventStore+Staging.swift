extension SQLiteEventStore {
    /// How far the slot's staging file is in the store, by the segments' index.
    func stagedPositions() throws(EventStoreError) -> [Int: StagedPosition] {
        try Self.stagedPositions(in: database)
    }

    /// The same of a database that no store has open.
    package static func stagedPositions(
        in database: SQLiteDatabase
    ) throws(EventStoreError) -> [Int: StagedPosition] {
        var positions: [Int: StagedPosition] = [:]
        let statement = try database.prepare("SELECT segment, generation, position FROM staging")
        try statement.forEachRow { row -> Void in
            let position = StagedPosition(row)
            positions[position.segment] = position
        }
        return positions
    }

    /// The full names of namespaces that the records of release 0.2.0 name in part only, by that part. A part that two names
    /// have, or that is a name, is left out.
    func fullNames() throws(EventStoreError) -> [ExactText: ExactText] {
        var names: [ExactText] = []
        try statement("SELECT CAST(name AS BLOB) FROM namespaces")
            .forEachRow { row -> Void in names.append(ExactText(String(decoding: row.bytes(0), as: UTF8.self))) }
        var full: [ExactText: [ExactText]] = [:]
        for name in names {
            if let part = AtomicField.tna.truncated(name.text) { full[ExactText(part), default: []].append(name) }
        }
        for name in names { full[name] = nil }
        return full.compactMapValues { $0.count == 1 ? $0[0] : nil }
    }

    /// Notes within a transaction how far a segment is in the store.
    func save(_ position: StagedPosition) throws(EventStoreError) {
        try statement("INSERT OR REPLACE INTO staging (segment, generation, position) VALUES (?, ?, ?)")
            .bind(1, Int64(position.segment)).bind(2, Int64(bitPattern: position.generation))
            .bind(3, Int64(bitPattern: position.end.word)).run()
    }

    /// Forgets the positions in a staging file that is gone.
    func forgetStagedPositions() throws(EventStoreError) {
        try database.execute("DELETE FROM staging")
    }

    /// Adds what a dead process left in the slot's staging file, all of it in one commit or nothing.
    /// - Returns: What was added to each namespace, in the order of their first events.
    func replay(
        _ leftovers: [StagingFile.Leftover]
    ) throws(EventStoreError) -> [(namespace: ExactText, amount: EventAmount)] {
        var (batch, names, indexes) = (EventBatch(), [ExactText](), [ExactText: Int]())
        // A tracker's events may be in several segments.
        for event in leftovers.flatMap(\.events).sorted(by: { $0.sequence < $1.sequence }) {
            let index = indexes[event.namespace] ?? names.count
            if index == names.count { names.append(event.namespace) }
            indexes[event.namespace] = index
            batch.append(event.payload, namespace: index, isAnonymous: event.isAnonymous, time: event.time)
        }
        var keys: [Int64] = []
        for name in names { keys.append(try key(of: name.text)) }
        // Synced: they have waited for long enough.
        try append(
            batch, keys: { keys[$0] }, isSynced: true, positions: leftovers.compactMap(\.position))
        let amounts = batch.amounts
        return names.enumerated().map { ($1, amounts[$0] ?? .zero) }
    }
}

extension [StagingFile.Leftover] {
    /// Groups of as many segments as a new file has, to be stored in one commit each.
    var groups: [[StagingFile.Leftover]] {
        stride(from: 0, to: count, by: StagingFile.segmentCount).map {
            Array(self[$0..<Swift.min(count, $0 + StagingFile.segmentCount)])
        }
    }
}

extension StagedPosition {
    /// Reads a segment, its generation, and its end.
    init(_ row: SQLiteStatement) {
        self.init(
            segment: Int(row.int64(0)), generation: UInt64(bitPattern: row.int64(1)),
            end: StagedEnd(word: UInt64(bitPattern: row.int64(2))))
    }
}
