/// Copies what can be read of a damaged database into a store.
///
/// Rows are read in the order of their ids. If a page cannot be read, the ids behind it are probed, so that each damaged
/// page costs its own rows and no others. Everything is written in one transaction together with the name of the file, so
/// that a file is salvaged once, however often the process dies on the way.
struct EventSalvage {
    /// What became of a damaged file's events.
    struct Report: Sendable, Equatable {
        /// The events that were saved, by namespace.
        var saved: [String: EventAmount] = [:]
        /// The events that are lost, by namespace: damaged rows and missing ids between rows.
        var lost: [String: Int] = [:]
        /// Whether there is damage before the first row or behind the last, of which no number is known.
        var hasUnknownLoss = false

        var savedCount: Int { saved.values.reduce(0) { $0 + $1.events } }
        var lostCount: Int { lost.values.reduce(0, +) }
        /// Whether nothing is left in the file that was not read.
        var isComplete: Bool { lostCount == 0 && !hasUnknownLoss }
    }

    private static let batchLimit = EventAmount(events: 1000, bytes: 4 << 20)

    let source: SQLiteDatabase
    let target: SQLiteEventStore
    /// The events that another slot already has; nil for none.
    private let moved: ClosedRange<Int64>?
    private var columns = ""
    /// Namespaces by the source's numbers.
    private var names: [Int64: String] = [:]
    /// The indexes of the batch's namespaces, and the target's numbers of them.
    private var indexes: [ExactText: Int] = [:]
    private var keys: [Int64] = []
    private var lastIDs: [Int64: Int64] = [:]
    private var batch = EventBatch()
    private var report = Report()
    /// The last id that was read; nil before the first.
    private var position: Int64?

    /// Copies what can be read.
    /// - Parameters:
    ///   - path: The damaged database, which no other connection has open.
    ///   - name: The name under which the target remembers it.
    ///   - target: The store.
    ///   - moved: The events that are left out, because another slot already has them.
    /// - Returns: What became of the events; an empty report if the file was salvaged before.
    /// - Throws: If the target cannot take the events, or the source cannot be read for another reason than damage, as for
    ///   want of descriptors; both are as they were then.
    static func run(
        from path: String, as name: String, into target: SQLiteEventStore, except moved: ClosedRange<Int64>? = nil
    ) throws(EventStoreError) -> Report {
        let known = try target.database.prepare("SELECT 1 FROM salvaged WHERE file = ?").bind(1, name).number()
        guard known == nil else { return Report() }
        var report = Report()
        try target.database.transaction { () throws(EventStoreError) in
            var salvage = EventSalvage(try SQLiteDatabase(path: path), target, moved)
            try salvage.copy()
            report = salvage.report
            try target.database.prepare("INSERT INTO salvaged VALUES (?)").bind(1, name).run()
        }
        target.forgetLastIDs()
        return report
    }

    private init(_ source: SQLiteDatabase, _ target: SQLiteEventStore, _ moved: ClosedRange<Int64>?) {
        (self.source, self.target, self.moved) = (source, target, moved)
    }

    private mutating func copy() throws(EventStoreError) {
        // Without shared memory, as the store itself.
        try Self.unlessDamaged { () throws(EventStoreError) in try source.execute("PRAGMA locking_mode = EXCLUSIVE") }
        try copyNotes()
        try readNames()
        var found: [String] = []
        try Self.unlessDamaged { () throws(EventStoreError) in
            try source.prepare("SELECT name FROM pragma_table_info('events')").forEachRow { found.append($0.text(0)) }
        }
        guard found.contains("payload") else {
            report.hasUnknownLoss = true
            return
        }
        // Files of earlier releases have no checksums.
        columns = "id, time, anonymous, payload, \(found.contains("checksum") ? "checksum" : "NULL")"
        try copyEvents()
        try flush()
        try copySessions()
        try copyDeadLetters()
    }

    private mutating func readNames() throws(EventStoreError) {
        var names: [Int64: String] = [:]
        try Self.unlessDamaged { () throws(EventStoreError) in
            guard try source.prepare("SELECT 1 FROM pragma_table_info('namespaces')").number() != nil else { return }
            try source.prepare("SELECT id, CAST(name AS BLOB) FROM namespaces")
                .forEachRow { names[$0.int64(0)] = String(decoding: $0.bytes(1), as: UTF8.self) }
        }
        self.names = names
    }

    private mutating func copyEvents() throws(EventStoreError) {
        var start = Int64.min
        while try !copyRun(from: start) {
            // A row whose id can be read and whose payload cannot stops the run where it begins.
            if start != .min, position.map({ $0 < start }) ?? true {
                lose(start...start)
                position = start
            }
            guard let next = try nextReadable(after: position ?? .min) else {
                report.hasUnknownLoss = true
                return
            }
            if let position, position >> 40 == next >> 40 {
                if next - position > 1 { lose(position + 1...next - 1) }
            } else {
                report.hasUnknownLoss = true
            }
            start = next
        }
    }

    /// Copies rows up to the next damage.
    /// - Returns: Whether the last row was reached.
    private mutating func copyRun(from start: Int64) throws(EventStoreError) -> Bool {
        var failure: EventStoreError?
        let end: Void? = try Self.unlessDamaged { () throws(EventStoreError) in
            let rows = try source.prepare("SELECT \(columns) FROM events WHERE id >= ? ORDER BY id").bind(1, start)
            try rows.forEachRow(while: { row in
                do throws(EventStoreError) {
                    try add(row)
                    return true
                } catch {
                    failure = error
                    return false
                }
            })
        }
        if let failure { throw failure }
        return end != nil
    }

    private mutating func add(_ row: SQLiteStatement) throws(EventStoreError) {
        let id = row.int64(0)
        position = id
        if let moved, moved.contains(id) { return }
        // Without its row in the table of namespaces, an event says itself which one it belongs to.
        guard let event = StoredEvent(row), let name = names[id >> 40] ?? event.namespace else {
            return lose(id...id)
        }
        names[id >> 40] = name
        if indexes[exactly: name] == nil {
            indexes[exactly: name] = keys.count
            keys.append(try target.key(of: name))
        }
        event.payload.withUnsafeBytes {
            batch.append(
                $0, namespace: indexes[exactly: name] ?? 0, isAnonymous: event.isAnonymous, time: row.int64(1))
        }
        report.saved[name, default: .zero] += EventAmount(event)
        if batch.count >= Self.batchLimit.events || batch.size >= Self.batchLimit.bytes { try flush() }
    }

    private mutating func flush() throws(EventStoreError) {
        try target.append(batch, keys: { keys[$0] }, &lastIDs)
        batch.removeAll()
    }

    /// Counts events of one namespace as lost, except those that another slot has.
    private mutating func lose(_ ids: ClosedRange<Int64>) {
        var count = ids.count
        if let moved, moved.overlaps(ids) { count -= moved.clamped(to: ids).count }
        guard count > 0 else { return }
        if let name = names[ids.lowerBound >> 40] {
            report.lost[name, default: 0] += count
        } else {
            report.hasUnknownLoss = true
        }
    }

    /// Finds the first id behind damage that can be read: by steps that double, then by halves between the last step that
    /// failed and the first that did not.
    private func nextReadable(after position: Int64) throws(EventStoreError) -> Int64? {
        // Ids are positive.
        var failing = max(position, 0)
        var working = failing + 1
        var step: Int64 = 1
        var found = try probe(from: working)
        while found == .unreadable {
            let (id, isOver) = working.addingReportingOverflow(step)
            if isOver { return nil }
            (failing, working, step) = (working, id, step * 2)
            found = try probe(from: id)
        }
        while working - failing > 1 {
            let middle = failing + (working - failing) / 2
            let other = try probe(from: middle)
            if other == .unreadable { failing = middle } else { (working, found) = (middle, other) }
        }
        if case .row(let id) = found { return id }
        return nil
    }

    /// What a look for the first row from an id on gives.
    private enum Probe: Equatable {
        case row(Int64)
        /// There is no such row.
        case none
        /// The page where it would be cannot be read.
        case unreadable
    }

    private func probe(from id: Int64) throws(EventStoreError) -> Probe {
        let row = try Self.unlessDamaged { () throws(EventStoreError) in
            try source.prepare("SELECT id FROM events WHERE id >= ? ORDER BY id LIMIT 1").bind(1, id).number()
        }
        guard let row else { return .unreadable }
        return row.map(Probe.row) ?? .none
    }

    private mutating func copyDeadLetters() throws(EventStoreError) {
        var letters: [DeadLetter] = []
        let end: Void? = try Self.unlessDamaged { () throws(EventStoreError) in
            guard try source.prepare("SELECT 1 FROM pragma_table_info('dead_letters')").number() != nil else { return }
            try source.prepare("SELECT id, namespace, reason, time, anonymous, payload FROM dead_letters ORDER BY id")
                .forEachRow { letters.append(DeadLetter($0)) }
        }
        // Those that cannot be read stay in the file, which is kept then.
        if end == nil { report.hasUnknownLoss = true }
        target.deadLetterBytes = nil
        try target.insert(letters)
    }

    private func copySessions() throws(EventStoreError) {
        var sessions: [(name: String, record: SessionRecord)] = []
        // Sessions that cannot be read begin anew, as without a file.
        try Self.unlessDamaged { () throws(EventStoreError) in
            guard try source.prepare("SELECT 1 FROM pragma_table_info('sessions')").number() != nil else { return }
            try source.prepare("SELECT namespace, record FROM sessions").forEachRow { row in
                guard let name = names[row.int64(0)], let record = SessionRecord(bytes: row.bytes(1)) else { return }
                sessions.append((name, record))
            }
        }
        let known = Set(try target.sessions().map { ExactText($0.namespace) })
        for session in sessions where !known.contains(ExactText(session.name)) {
            try target.save(session.record, of: try target.key(of: session.name))
        }
    }
}
