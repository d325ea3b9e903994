import Foundation
import Testing
import TrackerTesting

@testable import TrackerCore

/// The files of an event store, as a test looks at them and damages them.
struct StoreFiles {
    static let pageSize = 16_384

    let directory: TemporaryDirectory

    /// A copy of what is on the disk now, as a process finds it that starts after this one was killed.
    func copy() throws -> TemporaryDirectory {
        let copy = TemporaryDirectory()
        for name in directory.names where name.hasPrefix("events-") {
            try FileManager.default.copyItem(atPath: directory.file(name), toPath: copy.file(name))
        }
        return copy
    }

    /// The actions of the events that the next process sends if this one is killed now, with files that may be changed before.
    func sentAfterKill(_ prepare: (TemporaryDirectory) throws -> Void = { _ in }) async throws -> [String] {
        let copy = try copy()
        try prepare(copy)
        let rig = Rig(stateDirectory: copy.path, seed: 9)
        let tracker = try await rig.tracker()
        await rig.pipeline.tend()
        await tracker.flush(timeout: .seconds(60))
        #expect(tracker.counters.addUp(recovered: rig.actions.count))
        return rig.actions
    }

    /// How many events are on the disk, while a process may have the store open.
    func count(slot: Int = 0) throws -> Int {
        try payloads(slot: slot).count
    }

    /// The events that are on the disk.
    func payloads(slot: Int = 0) throws -> [String] {
        let copy = try copy()
        defer { withExtendedLifetime(copy) {} }
        let database = try SQLiteDatabase(path: copy.file("events-\(slot).sqlite"))
        var payloads: [String] = []
        try database.prepare("SELECT payload FROM events ORDER BY id").forEachRow { payloads.append($0.text(0)) }
        return payloads
    }

    /// Overwrites whole pages of the database.
    func damage(pages: [Int], slot: Int = 0) throws {
        for page in pages {
            try overwrite(at: page * Self.pageSize, with: Data(repeating: 0xAB, count: Self.pageSize), slot)
        }
    }

    /// Overwrites the first page of a table. It looks for the page in a copy, so that a process may have the store open.
    func damage(table: String, slot: Int = 0) throws {
        let copy = try copy()
        defer { withExtendedLifetime(copy) {} }
        let database = try SQLiteDatabase(path: copy.file("events-\(slot).sqlite"))
        let root = try database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").bind(1, table).number()
        guard let root else { throw CocoaError(.fileReadUnknown) }
        try damage(pages: [Int(root) - 1], slot: slot)
    }

    /// Pages that hold events: the last ones, because the tables' first pages come before them. Each share says where
    /// among them, from 0 for the first to 1 for the last.
    func leaves(_ shares: [Double], slot: Int = 0) throws -> [Int] {
        let pages = try Data(contentsOf: URL(filePath: directory.file("events-\(slot).sqlite"))).count / Self.pageSize
        return shares.map { 9 + Int(Double(pages - 10) * $0) }
    }

    /// A page of events by its place below the root of their tree, which must have two levels.
    /// - Parameter share: 0 for the first page, 1 for the last but one.
    /// - Returns: The page, to be damaged.
    /// - Throws: If the file has no such tree.
    func leafOfEvents(_ share: Int) throws -> Int {
        let path = directory.file("events-0.sqlite")
        let root = try SQLiteDatabase(path: path)
            .prepare("SELECT rootpage FROM sqlite_master WHERE name = 'events'").number()
        let file = try Data(contentsOf: URL(filePath: path))
        guard let root else { throw CocoaError(.fileReadCorruptFile) }
        let page = Array(file[((Int(root) - 1) * Self.pageSize)...].prefix(Self.pageSize))
        func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
        // An interior page: the number of its cells, then their places; a cell begins with the number of a child.
        guard page[0] == 5 else { throw CocoaError(.fileReadCorruptFile) }
        let index = share * (number(page[3..<5]) - 1)
        let cell = number(page[(12 + 2 * index)..<(14 + 2 * index)])
        return number(page[cell..<(cell + 4)]) - 1
    }

    /// Changes one byte of a text that stands in the database once.
    func flip(_ text: String, to other: String, slot: Int = 0) throws {
        let path = directory.file("events-\(slot).sqlite")
        let data = try Data(contentsOf: URL(filePath: path))
        guard let place = data.firstRange(of: Data(text.utf8)) else { throw CocoaError(.fileReadUnknown) }
        try overwrite(at: place.lowerBound, with: Data(other.utf8), slot)
    }

    private func overwrite(at offset: Int, with data: Data, _ slot: Int) throws {
        guard let file = FileHandle(forUpdatingAtPath: directory.file("events-\(slot).sqlite")) else {
            throw CocoaError(.fileNoSuchFile)
        }
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: data)
        try file.close()
    }
}

extension TemporaryDirectory {
    /// Opens an event store in a file of its own.
    func store(_ name: String) throws -> SQLiteEventStore {
        try SQLiteEventStore(path: file("\(name).sqlite"), lock: try #require(try FileLock(path: file("\(name).lock"))))
    }
}

extension EventStorage {
    /// The storage of a process that has some namespaces.
    static func open(in directory: String, _ namespaces: [String] = ["ns"], log: MemoryLog? = nil) -> EventStorage {
        let storage = EventStorage(
            directory: StateDirectory(path: directory, service: "tests"), namespaces: nil, deadLetters: .off,
            time: ManualTime(), log: Log(log, level: .trace))
        storage.add(namespaces) { _ in nil }
        return storage
    }
}
