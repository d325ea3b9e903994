import FoundationEssentials
import Glibc
import TrackerCore

/// The state directory of the simulated service, on a file system in memory.
///
/// A kill leaves the files as they were: databases are copied before the objects of the process end, and put back afterwards;
/// staging files are as the process left them by themselves.
final class Disk {
    /// A slot's files as they were.
    struct Image {
        let slot: Int
        var database: [UInt8]
        /// When the database was last changed.
        let time: timespec
        var log: [UInt8]
    }

    let path: String
    /// With segments of 16 KiB, which a kernel allocates soon, and which are full and run out at times.
    static let staging = StagingFile(segmentSize: 16 << 10)
    static let pageSize = 1 << 10
    let scratch: String
    /// How far the log of a slot was at its last sync, and the number of the ledger's change.
    private(set) var synced: [Int: (position: WriteAheadLog.Position?, change: Int)] = [:]

    init() throws {
        let base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        // `mkdtemp` puts a name that is free in place of the last six characters.
        var template = Array("\(base)/tracker-simulation-XXXXXX".utf8CString)
        guard let root = mkdtemp(&template) else { throw FileError(.createDirectory, path: base) }
        let directory = String(cString: root)
        (path, scratch) = ("\(directory)/state", "\(directory)/scratch")
        for path in [path, scratch] where mkdir(path, 0o700) != 0 { throw FileError(.createDirectory, path: path) }
    }

    deinit {
        let directory = String(path.dropLast("/state".count))
        // What is left in a directory for temporary files is no failure of the simulation.
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// With databases of small pages, because kills and power failures copy and read the logs of all of them.
    var stateDirectory: StateDirectory {
        StateDirectory(path: path, service: "simulation", staging: Self.staging, pageSize: Self.pageSize)
    }

    func file(_ slot: Int) -> String { "\(path)/events-\(slot).sqlite" }

    /// The slots that have a database.
    var slots: [Int] { (0..<8).filter { access(file($0), F_OK) == 0 } }

    /// Copies the files of a slot.
    func image(of slot: Int) -> Image {
        var information = stat()
        stat(file(slot), &information)
        return Image(
            slot: slot, database: Self.read(file(slot)), time: information.st_mtim, log: Self.read(file(slot) + "-wal"))
    }

    /// Puts the files of a slot back. The database is the same file, and as old as it was.
    func restore(_ image: Image) {
        Self.write(image.database, to: file(image.slot), time: image.time)
        unlink(file(image.slot) + "-wal")
        if !image.log.isEmpty { Self.write(image.log, to: file(image.slot) + "-wal") }
    }

    /// Removes the files of a slot, which a process may have open.
    func remove(_ slot: Int) {
        for path in [file(slot), file(slot) + "-wal", StagingFile.path(slot, in: path)] { unlink(path) }
        synced[slot] = nil
    }

    /// The stamps of the databases of slots.
    func stamps(where isIncluded: (Int) -> Bool) -> [Int: FileStamp] {
        var stamps: [Int: FileStamp] = [:]
        for slot in slots where isIncluded(slot) { stamps[slot] = FileStamp(file(slot), followsLinks: false) }
        return stamps
    }

    /// Takes the locks of slots whose databases are as they were.
    func locks(of stamps: [Int: FileStamp]) -> [FileLock] {
        stamps.filter { FileStamp(file($0.key), followsLinks: false) == $0.value }.keys.compactMap { slot in
            try? FileLock(path: "\(path)/events-\(slot).lock")
        }
    }

    /// Notes that all that a slot has is safe from a power failure.
    func noteSync(_ slot: Int, change: Int) {
        synced[slot] = (WriteAheadLog.position(of: file(slot) + "-wal", from: synced[slot]?.position), change)
    }

    /// What a slot has: the numbers of the events in its database, and of those that only its staging file has, and how many
    /// records there are damaged.
    struct Contents {
        let stored: Set<Int>
        let staged: Set<Int>
        let all: Set<Int>
        let damaged: Int

        init(stored: Set<Int> = [], staged: Set<Int> = [], damaged: Int = 0) {
            (self.stored, self.staged, all, self.damaged) = (stored, staged, stored.union(staged), damaged)
        }
    }

    /// Reads what a slot has, with an image for its database, without a change of the slot itself.
    func contents(of image: Image) throws -> Contents {
        let copy = "\(scratch)/copy.sqlite"
        for suffix in ["", "-wal", "-shm"] { unlink(copy + suffix) }
        Self.write(image.database, to: copy)
        if !image.log.isEmpty { Self.write(image.log, to: copy + "-wal") }
        // Read without a store, which would take longer to open than all else here.
        let database = try SQLiteDatabase(path: copy)
        try database.execute("PRAGMA locking_mode = EXCLUSIVE")
        var stored: Set<Int> = []
        var positions: [Int: StagedPosition] = [:]
        // Of a slot whose process was killed when it was new.
        if try database.prepare("SELECT 1 FROM pragma_table_info('staging')").number() != nil {
            let unremoved = try unremoved(image.slot, in: database)
            try database.prepare("SELECT id, payload FROM events").forEachRow { row -> Void in
                let id = row.int64(0)
                guard !unremoved.contains(where: { $0.ids.contains(id) }) else { return }
                if let id = Ledger.id(of: row.bytes(1)) { stored.insert(id) }
            }
            positions = try SQLiteEventStore.stagedPositions(in: database)
        }
        let (staged, damaged) = try staged(image.slot, stored: positions)
        return Contents(stored: stored, staged: staged, damaged: damaged)
    }

    /// Whether the staging file notes sent events whose rows could not be removed.
    func hasUnremoved(_ slot: Int) throws -> Bool {
        var isNoted = false
        try withStaging(slot) { isNoted = !UnremovedRows.noted(in: UnsafeRawBufferPointer($0)).rows.runs.isEmpty }
        return isNoted
    }

    /// Reads which rows of a database were done with and could not be removed.
    private func unremoved(_ slot: Int, in database: SQLiteDatabase) throws -> [UnremovedRows.Run] {
        var runs: [UnremovedRows.Run] = []
        try withStaging(slot) { runs = UnremovedRows.noted(in: UnsafeRawBufferPointer($0)).rows.runs }
        return try runs.filter { try SQLiteEventStore.run(of: $0.ids, in: database) == $0 }
    }

    /// Reads the numbers of the events that a staging file has and the database does not have, and how many are damaged.
    private func staged(_ slot: Int, stored: [Int: StagedPosition]) throws -> (ids: Set<Int>, damaged: Int) {
        var (ids, damaged): (Set<Int>, Int) = ([], 0)
        try withStaging(slot) { bytes in
            for leftover in Self.staging.leftovers(in: UnsafeRawBufferPointer(bytes), stored: stored) {
                damaged += leftover.damaged
                for event in leftover.events {
                    if let id = Ledger.id(of: Array(event.payload)) { ids.insert(id) }
                }
            }
        }
        return (ids, damaged)
    }

    /// Loses pages of a staging file that were never written to the disk.
    /// - Returns: Whether there were any.
    func tearStaging(_ slot: Int, _ dice: Dice) throws -> Bool {
        var isTorn = false
        try withStaging(slot) { bytes in
            let pageSize = StagingFile.headerSize
            if dice.chance(percent: 30) {
                bytes[8..<pageSize].withMemoryRebound(to: UInt8.self) { $0.update(repeating: 0) }
            }
            for segment in 0..<Self.staging.count(inBytes: bytes.count) {
                let start = Self.staging.start(of: segment)
                let published = Int(bytes.loadUnaligned(fromByteOffset: start + 16, as: UInt32.self))
                guard published > StagingFile.segmentHeaderSize, published <= Self.staging.segmentSize else { continue }
                for page in 0...published / pageSize where dice.chance(percent: 30) {
                    let place = start + page * pageSize
                    bytes[place..<place + pageSize].withMemoryRebound(to: UInt8.self) { $0.update(repeating: 0) }
                    isTorn = true
                }
            }
        }
        return isTorn
    }

    func withStaging(_ slot: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
        let file = StagingFile.path(slot, in: path)
        let descriptor = open(file, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        guard size >= Self.staging.size else { throw FileError(.read, path: file) }
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let memory, memory != MAP_FAILED else { throw FileError(.read, path: file) }
        defer { munmap(memory, size) }
        try body(UnsafeMutableRawBufferPointer(start: memory, count: size))
    }

    /// Reads the numbers of the events in a store, by namespace.
    static func contents(of store: SQLiteEventStore) throws -> [String: [Int]] {
        var contents: [String: [Int]] = [:]
        for namespace in try store.namespaces() {
            let found = try store.events(
                of: store.key(of: namespace), limit: EventAmount(events: .max, bytes: .max), except: [])
            contents[namespace] = found.events.compactMap(Ledger.id)
        }
        return contents
    }

    static func read(_ path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
        }
    }

    static func write(_ bytes: [UInt8], to path: String, time: timespec? = nil) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        precondition(descriptor >= 0, "\(path) cannot be written")
        defer { close(descriptor) }
        let written = Glibc.write(descriptor, bytes, bytes.count)
        precondition(written == bytes.count, "\(path) cannot be written")
        if let time {
            let times = [time, time]
            precondition(futimens(descriptor, times) == 0, "\(path) cannot be dated")
        }
    }
}
