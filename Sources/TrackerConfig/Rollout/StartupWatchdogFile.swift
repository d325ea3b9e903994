import Glibc

/// A process's mark on disk that it has just applied a version, and how it ended; it outlives SIGKILL.
///
/// The mark is the file's first byte. Nothing is mapped: a file that another process truncates is read as idle and ends no
/// process. The file's lock is held for as long as the process lives.
final class StartupWatchdogFile: Sendable {
    /// What became of a process since it applied a version.
    enum Mark: UInt8 {
        /// No version is observed.
        case idle = 0x2D
        /// The process has just applied the version.
        case watching = 0x77
        /// The process survived the startup window, or ended normally.
        case survived = 0x6F
    }

    /// What the file says.
    struct Record: Equatable {
        var mark = Mark.idle
        /// The version that the mark is about.
        var version = 0
        /// The process that the mark is about.
        var process: Int64 = 0
        /// A random word of the process.
        var word: UInt64 = 0
    }

    private static let size = 64
    /// The bytes of a record.
    private static let recordSize = 32

    private let lock: FileLock

    /// Takes a file; nil if a living process has it.
    /// - Parameter path: The file; a symbolic link is not followed.
    /// - Throws: A ``FileError`` if it cannot be opened, or the disk has no place for it.
    init?(path: String) throws(FileError) {
        guard let lock = try FileLock(path: path) else { return nil }
        self.lock = lock
        // A mark must find its place on a disk that is full by then.
        let failure = posix_fallocate(lock.descriptor, 0, off_t(Self.size))
        guard failure == 0 else { throw FileError(.write, path: path, errorNumber: failure) }
    }

    private var descriptor: Int32 { lock.descriptor }

    /// What the file says; a file that is truncated or cannot be read is idle.
    var record: Record {
        var bytes = [UInt8](repeating: 0, count: Self.recordSize)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count == bytes.count, let mark = Mark(rawValue: bytes[0]) else { return Record() }
        func word(_ place: Int) -> Int64 {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Int64.self) }
        }
        return Record(mark: mark, version: Int(word(8)), process: word(16), word: UInt64(bitPattern: word(24)))
    }

    /// Begins to watch a process.
    /// - Parameters:
    ///   - version: The version that it is about to apply.
    ///   - process: Its number.
    ///   - word: A random word of the process.
    func watch(_ version: Int, process: Int64, word: UInt64) {
        set(.idle)
        var bytes = [UInt8](repeating: 0, count: Self.recordSize)
        bytes.withUnsafeMutableBytes { bytes in
            bytes[0] = Mark.idle.rawValue
            bytes.storeBytes(of: Int64(version), toByteOffset: 8, as: Int64.self)
            bytes.storeBytes(of: process, toByteOffset: 16, as: Int64.self)
            bytes.storeBytes(of: word, toByteOffset: 24, as: UInt64.self)
        }
        // Without its version the mark would be about another one.
        if pwrite(descriptor, bytes, bytes.count, 0) == bytes.count { set(.watching) }
    }

    /// Writes the mark alone.
    func set(_ mark: Mark) {
        var byte = mark.rawValue
        _ = pwrite(descriptor, &byte, 1, 0)
    }

    /// The version whose process is watched; nil if none is.
    var watched: Int? {
        let record = record
        return record.mark == .watching ? record.version : nil
    }
}
