import TrackerCore
import TrackerPlatform

/// Records across processes whether they survive the startup window with a version.
///
/// Each process has its own file in the state directory, which survives SIGKILL. The process holds the file's lock
/// while it lives. The records of dead processes are reported once.
package final class StartupWatchdog: Sendable {
    /// The state of a process since it applied a version.
    enum Mark: UInt64 {
        /// No version is watched.
        case idle = 0x2D
        /// The process has just applied the version.
        case watching = 0x77
        /// The process survived the startup window.
        case survived = 0x6F
        /// The setup was shut down within the startup window.
        case shutDown = 0x65
    }

    /// The contents of a file.
    struct Record: Sendable, Hashable {
        var mark = Mark.idle
        var version = 0
        /// Distinguishes processes, even of different containers, so that a process with several setups counts once.
        var process: UInt64 = 0
    }

    /// A watch file. It is not mapped: a file that another process truncates is read as idle and does not end this
    /// process.
    struct File: Sendable {
        private let lock: FileLock

        /// Locks a file; nil if a living process holds it.
        /// - Parameter path: The path of the file; a symbolic link is not followed.
        /// - Throws: A ``FileError`` if it cannot be opened, or the disk is full.
        init?(path: String) throws(FileError) {
            guard let lock = try FileLock(path: path) else { return nil }
            self.lock = lock
            // Allocate the space now, so that a mark can be written even if the disk is full later.
            let failure = posix_fallocate(lock.descriptor, 0, 64)
            guard failure == 0 else { throw FileError(.write, path: path, errorNumber: failure) }
        }

        var record: Record {
            get {
                var words = [UInt64](repeating: 0, count: 3)
                guard pread(lock.descriptor, &words, 24, 0) == 24, let mark = Mark(rawValue: words[0]) else {
                    return Record()
                }
                return Record(mark: mark, version: Int(truncatingIfNeeded: words[1]), process: words[2])
            }
            nonmutating set {
                let words = [newValue.mark.rawValue, UInt64(truncatingIfNeeded: newValue.version), newValue.process]
                // If the mark cannot be written, nothing is watched.
                _ = pwrite(lock.descriptor, words, 24, 0)
            }
        }
    }

    /// The maximum number of files of a source.
    private static let maxFiles = 1000
    private static let word = UInt64.random(in: 0...UInt64.max)

    private let prefix: String
    // Started by the updater, and ended by the updater, a shutdown or a confirmation.
    private let own: Locked<File>
    private let ownSlot: Int

    /// Locks the first free file of the source.
    /// - Parameters:
    ///   - prefix: The prefix of the files' paths.
    ///   - endings: Receives the records of dead processes.
    /// - Throws: An error if a file cannot be used, or if all 1,000 are in use.
    init(prefix: String, endings: inout [Record]) throws(FileError) {
        self.prefix = prefix
        var found: (file: File, slot: Int)?
        for slot in 0..<Self.maxFiles {
            guard let file = try File(path: "\(prefix)\(slot)") else { continue }
            found = (file, slot)
            break
        }
        // If file locks do not work, all files may appear to be in use.
        guard let found else { throw FileError(.lock, path: "\(prefix)\(Self.maxFiles - 1)", errorNumber: EWOULDBLOCK) }
        Self.take(found.file, &endings)
        (own, ownSlot) = (Locked(found.file), found.slot)
        endings += try takeEndings()
    }

    /// Returns the records of processes that have died since the last call.
    func takeEndings() throws(FileError) -> [Record] {
        var endings: [Record] = []
        for slot in 0..<Self.maxFiles {
            guard access("\(prefix)\(slot)", F_OK) == 0 else { break }
            if slot != ownSlot, let file = try File(path: "\(prefix)\(slot)") { Self.take(file, &endings) }
        }
        return endings
    }

    private static func take(_ file: File, _ endings: inout [Record]) {
        if file.record.mark != .idle { endings.append(file.record) }
        file.record = Record()
    }

    /// Starts to watch this process; call it before the version is applied, which may crash the process.
    func begin(_ version: Int) {
        // A forked child has another process id.
        let process = Self.word &+ UInt64(getpid())
        own.withLock { $0.record = Record(mark: .watching, version: version, process: process) }
    }

    /// The version with which this process is watched; nil if it is not watched.
    package var watched: Int? {
        let record = own.withLock { $0.record }
        return record.mark == .watching ? record.version : nil
    }

    /// Stops watching.
    /// - Parameter mark: The mark that the next process reports, unless ``acknowledge()`` follows; ``Mark/idle`` if the
    ///   version is no longer in use.
    /// - Returns: The version that was watched; nil if there was none.
    @discardableResult
    func end(_ mark: Mark) -> Int? {
        own.withLock { file in
            var record = file.record
            guard record.mark == .watching else { return nil }
            record.mark = mark
            file.record = record
            return record.version
        }
    }

    /// Clears the mark after it was reported, unless another version is being watched.
    func acknowledge() {
        own.withLock { if $0.record.mark != .watching { $0.record = Record() } }
    }

    deinit {
        end(.idle)
    }
}
