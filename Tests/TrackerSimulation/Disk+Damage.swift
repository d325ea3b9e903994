import Glibc
import TrackerCore

/// Damage of the files of slots that no process has.
extension Disk {
    /// What was done to a page of a database, and what is left of it.
    struct Salvage {
        /// The events of which something was on the page, or may have been.
        var touched: Set<Int> = []
        var report: EventSalvage.Report
    }

    /// Damages the length of an event's record in a staging file.
    /// - Parameters:
    ///   - id: The event's number.
    ///   - slot: The slot.
    ///   - dice: The random numbers.
    ///   - isEnd: Whether all that comes behind the record is given up.
    /// - Throws: If the file cannot be opened.
    func damageLength(of id: Int, in slot: Int, _ dice: Dice, isEnd: Bool) throws {
        let key = Ledger.key(of: id)
        try withStaging(slot) { bytes in
            guard let place = Self.places(of: key, in: UnsafeRawBufferPointer(bytes)).first else { return }
            let record = place - StagedRecord.headerSize
            let length = bytes.loadUnaligned(fromByteOffset: record + 24, as: UInt32.self)
            let other = dice.pick([0, length &+ 8, length &+ UInt32(dice.within(1...4_000)), .max])
            bytes.storeBytes(of: other == length ? 1 : other, toByteOffset: record + 24, as: UInt32.self)
            guard isEnd else { return }
            let (segment, offset) = (record - StagingFile.headerSize).quotientAndRemainder(
                dividingBy: Self.staging.segmentSize)
            // The three copies of the end of what was tracked.
            for copy in [16, 24, Self.staging.segmentSize - 48] {
                let place = Self.staging.start(of: segment) + copy
                bytes.storeBytes(of: UInt64(offset), toByteOffset: place, as: UInt64.self)
            }
        }
    }

    /// Damages a page of a database, and salvages the others, as the process does that finds the damage.
    /// - Parameters:
    ///   - slot: The slot.
    ///   - dice: The random numbers.
    ///   - isEnd: Whether all pages behind the damaged one are given up.
    /// - Returns: What was damaged, and what became of the rows; nil if the page says how far the staging file is in the
    ///   database, without which its events come again: then nothing is done.
    /// - Throws: If the new database cannot be written.
    func damagePage(in slot: Int, _ dice: Dice, isEnd: Bool) throws -> Salvage? {
        let (path, copy) = (file(slot), "\(scratch)/damaged.sqlite")
        let positions = try Self.positionsWithoutLog(of: path)
        var bytes = Self.read(path)
        let (size, first) = (Self.pageSize, dice.below(bytes.count / Self.pageSize) * Self.pageSize)
        var touched: Set<Int> = []
        for place in bytes.withUnsafeBytes({ Self.places(of: Ledger.keyPrefix, in: $0) }) {
            guard let id = Ledger.id(of: Array(bytes[place..<min(place + 20, bytes.count)])) else { continue }
            // What goes on in other pages may be there.
            let isWhole = Self.isWhole(bytes[place..<min((place / size + 1) * size, bytes.count)])
            if !isWhole || first..<first + size ~= place { touched.insert(id) }
        }
        switch dice.below(3) {
        case 0: for place in first..<first + size { bytes[place] = 0 }
        case 1: for place in first..<first + size { bytes[place] = UInt8(dice.below(256)) }
        default: for _ in 0..<dice.within(1...8) { bytes[first + dice.below(size)] = UInt8(dice.below(256)) }
        }
        if isEnd { for place in first..<bytes.count { bytes[place] = 0 } }
        for suffix in ["", "-wal", "-shm"] { unlink(copy + suffix) }
        Self.write(bytes, to: copy)
        guard try EventSalvage.Notes(of: copy).positions == positions else { return nil }
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        let lock = try FileLock(path: "\(self.path)/events-\(slot).lock")
        guard let lock else { throw FileError(.read, path: path) }
        let store = try SQLiteEventStore(path: path, lock: lock, pageSize: size)
        return Salvage(touched: touched, report: try EventSalvage.run(from: copy, as: "damaged", into: store))
    }

    /// Whether bytes begin with a payload, which is JSON with four members.
    private static func isWhole(_ bytes: ArraySlice<UInt8>) -> Bool {
        var quotes = 0
        for byte in bytes {
            if quotes == 16 { return byte == UInt8(ascii: "}") }
            guard 0x20...0x7E ~= byte else { return false }
            if byte == UInt8(ascii: "\"") { quotes += 1 }
        }
        return false
    }

    /// Moves what is in the log of a database that no process has to the database.
    /// - Returns: How far the staging file is in the database.
    private static func positionsWithoutLog(of path: String) throws -> [Int: StagedPosition] {
        let database = try SQLiteDatabase(path: path)
        try database.execute("PRAGMA locking_mode = EXCLUSIVE")
        try database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").forEachRow { _ in }
        return try SQLiteEventStore.stagedPositions(in: database)
    }

    /// Lets the reads of a new store fail once the first namespaces have their numbers there.
    func refuse(_ namespace: String, in slot: Int) throws {
        guard let lock = try FileLock(path: "\(path)/events-\(slot).lock") else { return }
        let store = try SQLiteEventStore(path: file(slot), lock: lock, pageSize: Self.pageSize)
        try store.database.execute(
            """
            CREATE TRIGGER refusal BEFORE INSERT ON namespaces WHEN NEW.name = '\(namespace)'
            BEGIN SELECT RAISE(ABORT, 'the simulation refuses it'); END
            """)
    }

    /// Ends what ``refuse(_:in:)`` began.
    func admitAll(in slot: Int) throws {
        guard let lock = try FileLock(path: "\(path)/events-\(slot).lock") else { return }
        let store = try SQLiteEventStore(path: file(slot), lock: lock, pageSize: Self.pageSize)
        try store.database.execute("DROP TRIGGER IF EXISTS refusal")
    }

    /// Where a text begins.
    private static func places(of text: [UInt8], in bytes: UnsafeRawBufferPointer) -> [Int] {
        var places: [Int] = []
        for place in 0..<max(0, bytes.count - text.count + 1) where bytes[place] == text[0] {
            if bytes[place..<place + text.count].elementsEqual(text) { places.append(place) }
        }
        return places
    }
}
