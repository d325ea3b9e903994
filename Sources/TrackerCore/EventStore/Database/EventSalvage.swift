/// Copies what can be read of a damaged database into a store.
///
/// It looks at all pages of the file, and not at those to which others point: a row counts if its checksum is right, wherever it
/// is, and once, however often it is there. So no damage can make it read or write more than the file has. Rows are
/// copied in the order of their ids, in one commit for each thousand, which notes how far it is; the one after a kill goes on
/// from there. A salvage that did not end twice is not begun again.
package struct EventSalvage {
    /// What became of a damaged file's events.
    package struct Report: Sendable, Equatable {
        /// The events that were saved, by namespace.
        var saved: [ExactText: EventAmount] = [:]
        /// The events that are lost, by namespace: damaged rows and missing ids between rows.
        package fileprivate(set) var lost: [ExactText: Int] = [:]
        /// Whether there is damage before the first row or behind the last, of which no number is known.
        package fileprivate(set) var hasUnknownLoss = false
        /// Whether the file was given up, because its salvage did not end before; nothing is known of its events then.
        var isGivenUp = false

        var savedCount: Int { saved.values.reduce(0) { $0 + $1.events } }
        var lostCount: Int { lost.values.reduce(0, +) }
        /// Whether nothing is left in the file that was not read.
        var isComplete: Bool { lostCount == 0 && !hasUnknownLoss }
    }

    /// How often a salvage is begun that does not end.
    static let maxAttempts: Int64 = 2
    private static let batchLimit = EventAmount(events: 1000, bytes: 4 << 20)
    /// How many rows are found with one look at all pages: 8 MiB of memory, twice that in the meantime, and half as much again to
    /// sort them.
    private static let rowsPerLook = 1 << 18
    private static let copiesPerRow = 8

    let source: SQLiteDatabase
    let target: SQLiteEventStore
    private let file: DatabaseFile
    var path: String { file.path }
    private let name: String
    /// The events that another slot already has; nil for none.
    private let moved: ClosedRange<Int64>?
    /// Namespaces by the source's numbers.
    private var names: [Int64: String]
    /// The numbers whose namespace an event has confirmed.
    private var confirmed: Set<Int64> = []
    /// The indexes of the batch's namespaces.
    private var indexes: [ExactText: Int] = [:]
    private var lastIDs: [Int64: Int64] = [:]
    private var batch = EventBatch()
    /// The bytes that were copied.
    private var copied = 0
    /// The events that were found, also damaged ones.
    private var found = 0
    private var report = Report()
    /// The event before, and how many damaged ones came after it.
    private var last: Place?
    private var damagedSince = 0

    /// Where a row is.
    private struct Place {
        let id: Int64
        let image: DatabaseFile.Image
        let cell: UInt16
        /// Whether all cells of its page are rows.
        var isPageWhole = true
    }

    /// Copies what can be read.
    /// - Parameters:
    ///   - path: The damaged database, which no other connection has open.
    ///   - name: The name under which the target remembers it.
    ///   - target: The store.
    ///   - moved: The events that are left out, because another slot already has them.
    /// - Returns: What became of the events; an empty report if the file was salvaged before.
    /// - Throws: If the target cannot take the events, or the source cannot be read for another reason than damage, as for
    ///   want of descriptors; both are as they were then, but for what was committed on the way.
    package static func run(
        from path: String, as name: String, into target: SQLiteEventStore, except moved: ClosedRange<Int64>? = nil
    ) throws(EventStoreError) -> Report {
        let known = try target.database.prepare("SELECT 1 FROM salvaged WHERE file = ?").bind(1, name).number()
        guard known == nil else { return Report() }
        guard let start = try target.beginSalvage(of: name) else {
            return Report(hasUnknownLoss: true, isGivenUp: true)
        }
        defer { target.forgetLastIDs() }
        do throws(EventStoreError) {
            var salvage = try EventSalvage(path, name, target, moved)
            try salvage.copy(from: start)
            return salvage.report
        } catch {
            // It ended, if not well. If the note cannot be changed, as on a full disk, this counts as one that did not end.
            try? target.noteEndOfSalvage(of: name)
            throw error
        }
    }

    private init(
        _ path: String, _ name: String, _ target: SQLiteEventStore, _ moved: ClosedRange<Int64>?
    ) throws(EventStoreError) {
        source = try SQLiteDatabase(path: path, isDamaged: true)
        (self.target, self.name, self.moved) = (target, name, moved)
        names = try Self.names(in: source)
        file = try Self.open(path)
    }

    /// Opens the file with the size of pages by which it has the most rows.
    private static func open(_ path: String) throws(EventStoreError) -> DatabaseFile {
        var best: (file: DatabaseFile, rows: Int)?
        let stated = DatabaseFile.statedPageSize(of: path)
        for size in DatabaseFile.pageSizes(of: path) {
            let file = try DatabaseFile(path: path, pageSize: size)
            var rows = 0
            file.forEachImage { image in
                file.withBytes(of: image) { page in _ = RowCell.forEach(in: page, image.number) { _, _ in rows += 1 } }
            }
            if best.map({ rows > $0.rows }) ?? true { best = (file, rows) }
            // What the header says and the SDK uses is right.
            if best?.file === file, rows > 0, size == stated, size == SQLiteEventStore.pageSize { return file }
        }
        guard let best else { throw EventStoreError(.failed, reason: "\(path) cannot be read") }
        return best.file
    }

    private static func names(in source: SQLiteDatabase) throws(EventStoreError) -> [Int64: String] {
        var names: [Int64: String] = [:]
        try unlessDamaged { () throws(EventStoreError) in
            // Without shared memory, as the store itself.
            try source.execute("PRAGMA locking_mode = EXCLUSIVE")
            guard try source.prepare("SELECT 1 FROM pragma_table_info('namespaces')").number() != nil else { return }
            try source.prepare("SELECT id, CAST(name AS BLOB) FROM namespaces ORDER BY id")
                .forEachRow(inOrder: true) { names[$0.int64(0)] = String(decoding: $0.bytes(1), as: UTF8.self) }
        }
        return names
    }

    private mutating func copy(from start: Int64) throws(EventStoreError) {
        try target.database.transaction { () throws(EventStoreError) in
            try copyNotes()
            try copySessions()
        }
        var next: Int64? = start
        while let first = next {
            let places = places(from: first)
            var rest = places[...]
            while let id = rest.first?.id, copied <= file.size {
                let same = rest.prefix { $0.id == id }
                try add(same)
                rest = rest.dropFirst(same.count)
            }
            // A file has no more than its bytes: if it seems to, two of its rows share some.
            guard copied <= file.size, let last = places.last, places.count >= Self.rowsPerLook else { break }
            let (id, isOver) = last.id.addingReportingOverflow(1)
            next = isOver ? nil : id
        }
        loseTail()
        try flush()
        if try !hasRead(found, from: start) { report.hasUnknownLoss = true }
        // What an earlier attempt found lost, it did not report.
        if file.log?.isDamaged == true || start != .min { report.hasUnknownLoss = true }
        try target.endSalvage(of: name)
    }

    /// The next rows, in the order of their ids; those with the same id follow each other, the soundest first.
    private func places(from first: Int64) -> [Place] {
        var places: [Place] = []
        // Else an array that is full would double, for the cells of one page. Memory that is not used takes none.
        places.reserveCapacity(2 * Self.rowsPerLook + file.pageSize / 2)
        var bound = Int64.max
        file.forEachImage { image in
            let start = places.count
            let isWhole = file.withBytes(of: image) { page in
                RowCell.forEach(in: page, image.number) { index, cell in
                    guard first...bound ~= cell.id, cell.kind != .position else { return }
                    places.append(Place(id: cell.id, image: image, cell: UInt16(truncatingIfNeeded: index)))
                }
            }
            if !isWhole { for index in start..<places.count { places[index].isPageWhole = false } }
            guard places.count >= 2 * Self.rowsPerLook else { return }
            Self.sort(&places)
            // All of one id, so that none of them comes again with the next look.
            let end = places[Self.rowsPerLook - 1].id
            places.removeSubrange((places.firstIndex { $0.id > end } ?? places.count)...)
            bound = end
        }
        Self.sort(&places)
        return places
    }

    /// Sorts rows, and keeps a few of each id: a page can name the same row many times.
    private static func sort(_ places: inout [Place]) {
        places.sort { $0.id != $1.id ? $0.id < $1.id : $0.image.offset < $1.image.offset }
        var (last, count): (Int64?, Int) = (nil, 0)
        places.removeAll { place in
            count = place.id == last ? count + 1 : 1
            last = place.id
            return count > Self.copiesPerRow
        }
    }

    private mutating func add(_ same: ArraySlice<Place>) throws(EventStoreError) {
        guard let first = same.first else { return }
        found += 1
        for place in same {
            guard let (event, time) = cell(place)?.event(of: place.image, in: file) else { continue }
            loseGap(before: place)
            return try add(event, time)
        }
        lose(first.id)
    }

    private func cell(_ place: Place) -> RowCell? {
        file.withBytes(of: place.image) { RowCell(in: $0, place.image.number, Int(place.cell)) }
    }

    private mutating func add(_ event: StoredEvent, _ time: Int64) throws(EventStoreError) {
        copied += event.payload.count
        if let moved, moved.contains(event.id) { return }
        guard let name = namespace(of: event) else {
            report.hasUnknownLoss = true
            return
        }
        let index = indexes[exactly: name] ?? indexes.count
        indexes[exactly: name] = index
        event.payload.withUnsafeBytes {
            batch.append($0, namespace: index, isAnonymous: event.isAnonymous, time: time)
        }
        report.saved[ExactText(name), default: .zero] += EventAmount(event)
        try flushIfLarge(event.id)
    }

    /// The namespace of an event: that of its number, unless the first event with it names another one.
    private mutating func namespace(of event: StoredEvent) -> String? {
        let key = event.id >> 40
        if confirmed.contains(key) { return names[key] }
        let own = event.namespace
        let known = names[key].map { AtomicField.tna.truncated($0) ?? $0 }
        if let own, known.map({ !$0.isExactly(own) }) ?? true { names[key] = own }
        if own != nil { confirmed.insert(key) }
        return names[key]
    }

    private mutating func flushIfLarge(_ id: Int64) throws(EventStoreError) {
        let amount = EventAmount(events: batch.count, bytes: batch.size)
        if amount.events >= Self.batchLimit.events || amount.bytes >= Self.batchLimit.bytes { try flush(upTo: id) }
    }

    /// Commits what was read, and how far that is.
    private mutating func flush(upTo id: Int64 = .max) throws(EventStoreError) {
        let names = indexes.sorted { $0.value < $1.value }.map(\.key.text)
        var last = lastIDs
        try target.database.transaction { () throws(EventStoreError) in
            var keys: [Int64] = []
            for name in names { keys.append(try target.key(of: name)) }
            try target.append(batch, keys: { keys[$0] }, &last)
            try target.noteSalvage(of: name, upTo: id)
        }
        lastIDs = last
        batch.removeAll()
    }

    /// Counts an event that is there and damaged.
    private mutating func lose(_ id: Int64) {
        if let moved, moved.contains(id) { return }
        if let last, last.id >> 40 == id >> 40 {
            damagedSince += 1
        } else {
            lose(1, of: id >> 40)
        }
    }

    /// Counts the events that are missing between two that are there. Within a page all of whose rows are there, those between
    /// them were removed before.
    private mutating func loseGap(before place: Place) {
        defer { (last, damagedSince) = (place, 0) }
        guard let last, last.id >> 40 == place.id >> 40 else { return loseTail() }
        guard place.id - last.id > 1, damagedSince > 0 || last.image != place.image || !place.isPageWhole
        else { return }
        let ids = last.id + 1...place.id - 1
        var count = ids.count
        if let moved, moved.overlaps(ids) { count -= moved.clamped(to: ids).count }
        lose(count, of: place.id >> 40)
    }

    /// Counts the damaged events behind the last one of its namespace.
    private mutating func loseTail() {
        if let last { lose(damagedSince, of: last.id >> 40) }
        (last, damagedSince) = (nil, 0)
    }

    private mutating func lose(_ count: Int, of key: Int64) {
        guard count > 0 else { return }
        if let name = names[key] {
            report.lost[ExactText(name), default: 0] += count
        } else {
            report.hasUnknownLoss = true
        }
    }

    /// Whether there are just as many events as were found, as far as SQLite can read them.
    private func hasRead(_ count: Int, from start: Int64) throws(EventStoreError) -> Bool {
        let rows = try Self.unlessDamaged { () throws(EventStoreError) -> Int? in
            var rows = 0
            try source.prepare("SELECT id FROM events WHERE id >= ? ORDER BY id").bind(1, start)
                .forEachRow(inOrder: true) { _ in rows += 1 }
            return rows
        }
        return rows == .some(count)
    }

    private func copySessions() throws(EventStoreError) {
        var sessions: [(name: String, record: SessionRecord)] = []
        // Sessions that cannot be read begin anew, as without a file.
        try Self.unlessDamaged { () throws(EventStoreError) in
            guard try source.prepare("SELECT 1 FROM pragma_table_info('sessions')").number() != nil else { return }
            try source.prepare("SELECT namespace, record FROM sessions ORDER BY namespace").forEachRow(inOrder: true) {
                guard let name = names[$0.int64(0)], let record = SessionRecord(bytes: $0.bytes(1)) else { return }
                sessions.append((name, record))
            }
        }
        let known = Set(try target.sessions().map { ExactText($0.namespace) })
        for session in sessions where !known.contains(ExactText(session.name)) {
            try target.save(session.record, of: try target.key(of: session.name))
        }
    }
}

extension SQLiteEventStore {
    /// Notes that a salvage begins, before it does.
    /// - Returns: The id with which to begin; nil if it is not to be begun again.
    fileprivate func beginSalvage(of file: String) throws(EventStoreError) -> Int64? {
        try database.execute(
            """
            CREATE TABLE IF NOT EXISTS salvages (
                file TEXT PRIMARY KEY, attempts INTEGER NOT NULL, next INTEGER NOT NULL) WITHOUT ROWID
            """)
        var (attempts, next): (Int64, Int64) = (0, .min)
        try statement("SELECT attempts, next FROM salvages WHERE file = ?").bind(1, file)
            .forEachRow { (attempts, next) = ($0.int64(0), $0.int64(1)) }
        guard attempts < EventSalvage.maxAttempts else { return nil }
        try saveSalvage(of: file, attempts + 1, next)
        return next
    }

    /// Notes within a transaction that all up to an id is copied; a salvage that comes on is worth another attempt.
    fileprivate func noteSalvage(of file: String, upTo id: Int64) throws(EventStoreError) {
        let (next, isOver) = id.addingReportingOverflow(1)
        try saveSalvage(of: file, 0, isOver ? id : next)
    }

    /// Notes that the last attempt ended.
    fileprivate func noteEndOfSalvage(of file: String) throws(EventStoreError) {
        try statement("UPDATE salvages SET attempts = max(0, attempts - 1) WHERE file = ?").bind(1, file).run()
    }

    /// Notes that a salvage is done with.
    fileprivate func endSalvage(of file: String) throws(EventStoreError) {
        try database.transaction { () throws(EventStoreError) in
            try statement("INSERT OR IGNORE INTO salvaged VALUES (?)").bind(1, file).run()
            try statement("DELETE FROM salvages WHERE file = ?").bind(1, file).run()
        }
    }

    private func saveSalvage(of file: String, _ attempts: Int64, _ next: Int64) throws(EventStoreError) {
        try statement("INSERT OR REPLACE INTO salvages VALUES (?, ?, ?)")
            .bind(1, file).bind(2, attempts).bind(3, next).run()
    }
}
