import FoundationEssentials
import Glibc
import TrackerCore

/// The state directory of the simulated service, on a file system in memory.
///
/// A kill leaves the files as they were: they are copied before the objects of the process end, and put back afterwards.
final class Disk {
    /// A slot's files as they were.
    struct Image {
        let slot: Int
        var database: [UInt8]
        var log: [UInt8]
    }

    let path: String
    private let scratch: String
    /// How far the log of a slot was at its last sync, and the number of the ledger's change.
    private(set) var synced: [Int: (position: WriteAheadLog.Position?, change: Int)] = [:]

    init() throws {
        let base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
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

    var stateDirectory: StateDirectory { StateDirectory(path: path, service: "simulation") }

    private func file(_ slot: Int) -> String { "\(path)/events-\(slot).sqlite" }

    /// The slots that have a database.
    var slots: [Int] { (0..<8).filter { access(file($0), F_OK) == 0 } }

    /// Copies the files of a slot.
    func image(of slot: Int) -> Image {
        Image(slot: slot, database: Self.read(file(slot)), log: Self.read(file(slot) + "-wal"))
    }

    /// Puts the files of a slot back, as new ones.
    func restore(_ image: Image) {
        for (path, bytes) in [(file(image.slot), image.database), (file(image.slot) + "-wal", image.log)] {
            unlink(path)
            if !bytes.isEmpty || path == file(image.slot) { Self.write(bytes, to: path) }
        }
    }

    /// Notes that all that a slot has is safe from a power failure.
    func noteSync(_ slot: Int, change: Int) {
        synced[slot] = (WriteAheadLog.position(of: file(slot) + "-wal", from: synced[slot]?.position), change)
    }

    /// Reads the numbers of the events in an image, by namespace, without a change of the slot itself.
    func contents(of image: Image) throws -> [String: [Int]] {
        let copy = "\(scratch)/copy.sqlite"
        for suffix in ["", "-wal", "-shm", ".lock"] { unlink(copy + suffix) }
        Self.write(image.database, to: copy)
        if !image.log.isEmpty { Self.write(image.log, to: copy + "-wal") }
        guard let lock = try FileLock(path: copy + ".lock") else { throw FileError(.lock, path: copy) }
        return try Self.contents(of: SQLiteEventStore(path: copy, lock: lock))
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

    private static func read(_ path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        precondition(descriptor >= 0, "\(path) cannot be written")
        defer { close(descriptor) }
        let written = Glibc.write(descriptor, bytes, bytes.count)
        precondition(written == bytes.count, "\(path) cannot be written")
    }
}
