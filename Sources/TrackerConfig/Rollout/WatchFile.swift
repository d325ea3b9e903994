import Foundation

/// A process's mark on disk that it has just applied a version, and how it ended; it outlives SIGKILL.
///
/// The mark is a page of a file that is mapped, so that writing it is a store to memory: a signal handler may do it.
/// The file's lock is held for as long as the process lives.
final class WatchFile: Sendable {
    /// What became of a process since it applied a version.
    enum Mark: UInt8 {
        /// Nothing is watched.
        case idle = 0x2D
        /// It has just applied the version.
        case watching = 0x77
        /// It lived on, or ended in order.
        case survived = 0x6F
        /// Somebody asked it to end.
        case terminated = 0x74
    }

    private static let size = 64

    private let lock: FileLock
    nonisolated(unsafe) private let page: UnsafeMutableRawPointer

    /// Takes a file; nil where a living process has it.
    init?(path: String) throws(FileError) {
        guard let lock = try FileLock(path: path) else { return nil }
        self.lock = lock
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(.open, path: path) }
        defer { close(descriptor) }
        // Memory of a file without a place on the disk ends the process where the disk is full.
        let failure = posix_fallocate(descriptor, 0, off_t(Self.size))
        guard failure == 0 else { throw FileError(.write, path: path, errorNumber: failure) }
        let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let memory, memory != MAP_FAILED else { throw FileError(.open, path: path) }
        page = memory
    }

    deinit {
        munmap(page, Self.size)
    }

    /// Where the mark stands, for a signal handler.
    var markAddress: UnsafeMutablePointer<UInt8> { page.assumingMemoryBound(to: UInt8.self) }

    /// The mark.
    var mark: Mark {
        get { Mark(rawValue: markAddress.pointee) ?? .idle }
        set { markAddress.pointee = newValue.rawValue }
    }

    /// The version whose process is watched, nil where none is.
    var watched: Int? { mark == .watching ? version : nil }

    /// The process that the mark is about.
    var process: Int64 {
        get { page.loadUnaligned(fromByteOffset: 16, as: Int64.self) }
        set { page.storeBytes(of: newValue, toByteOffset: 16, as: Int64.self) }
    }

    /// The version that the mark is about.
    var version: Int {
        get { Int(truncatingIfNeeded: page.loadUnaligned(fromByteOffset: 8, as: Int64.self)) }
        set { page.storeBytes(of: Int64(newValue), toByteOffset: 8, as: Int64.self) }
    }
}
