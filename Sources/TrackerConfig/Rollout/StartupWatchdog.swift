import TrackerPlatform

/// Watches whether processes outlive the first moments with a version, across processes.
///
/// Each process has a file of its own in the state directory. It outlives SIGKILL, and the process holds its lock for as long
/// as it lives. What the files of dead processes say is reported once.
final class StartupWatchdog: Sendable {
    /// What became of a process since it applied a version.
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

    /// What a file says.
    struct Record: Sendable, Hashable {
        var mark = Mark.idle
        var version = 0
        /// Distinguishes processes, also those of several containers: one with several setups ends once.
        var process: UInt64 = 0
    }

    /// A watch file. Nothing is mapped: one that another process truncates is read as idle and ends no process.
    struct File: Sendable {
        private let lock: FileLock

        /// Takes a file; nil if a living process has it.
        /// - Parameter path: The file; a symbolic link is not followed.
        /// - Throws: A ``FileError`` if it cannot be opened, or the disk has no place for it.
        init?(path: String) throws(FileError) {
            guard let lock = try FileLock(path: path) else { return nil }
            self.lock = lock
            // A mark must find its place on a disk that is full by then.
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
                // One that cannot be written watches nothing.
                _ = pwrite(lock.descriptor, words, 24, 0)
            }
        }
    }

    /// The most files of a source.
    private static let maxFiles = 1000
    private static let word = UInt64.random(in: 0...UInt64.max)

    private let prefix: String
    // Begun by the updater, ended by it, by a shutdown or by a confirmation.
    private let own: Locked<File>
    private let ownSlot: Int

    /// Takes the first free file of the source.
    /// - Parameters:
    ///   - prefix: What the files' paths begin with.
    ///   - endings: Gets what dead processes left.
    /// - Throws: An error if a file cannot be used, or if 1,000 are taken.
    init(prefix: String, endings: inout [Record]) throws(FileError) {
        self.prefix = prefix
        var found: (file: File, slot: Int)?
        for slot in 0..<Self.maxFiles {
            guard let file = try File(path: "\(prefix)\(slot)") else { continue }
            found = (file, slot)
            break
        }
        // A file system without working locks may say of every file that it is taken.
        guard let found else { throw FileError(.lock, path: "\(prefix)\(Self.maxFiles - 1)", errorNumber: EWOULDBLOCK) }
        Self.take(found.file, &endings)
        (own, ownSlot) = (Locked(found.file), found.slot)
        endings += try takeEndings()
    }

    /// What processes left that have died since.
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

    /// Begins to watch this process; to be called before the version is applied, which may be its end.
    func begin(_ version: Int) {
        // A forked child has another number.
        let process = Self.word &+ UInt64(getpid())
        own.withLock { $0.record = Record(mark: .watching, version: version, process: process) }
    }

    /// The version that this process is watched with, nil if it is not.
    var watched: Int? {
        let record = own.withLock { $0.record }
        return record.mark == .watching ? record.version : nil
    }

    /// Stops watching.
    /// - Parameter mark: What the next process reports, unless ``acknowledge()`` follows; ``Mark/idle`` if the version is no
    ///   longer in use.
    /// - Returns: The version that was watched, nil if none was.
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

    /// Notes that the mark was reported, unless another version is watched by now.
    func acknowledge() {
        own.withLock { if $0.record.mark != .watching { $0.record = Record() } }
    }

    deinit {
        end(.idle)
    }
}
