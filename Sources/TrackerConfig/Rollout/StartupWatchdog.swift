import Glibc

/// Watches whether processes outlive the first moments with a version, across processes.
///
/// Each process has a ``StartupWatchdogFile`` of its own in the state directory; what those of dead processes say is reported once.
final class StartupWatchdog: Sendable {
    /// How a process that had just applied a version came to its end.
    struct Ending: Sendable, Hashable {
        let version: Int
        /// Its number: a process with several setups ends once.
        let process: Int64
        /// A random word that it drew, because processes of several containers may have one number.
        let word: UInt64
        /// Whether it lived on or ended in order.
        let hasSurvived: Bool
    }

    /// The most files of a source.
    private static let maxFiles = 1000
    // Of the process, with all its setups. A forked child has another number.
    private static let word = UInt64.random(in: 1...UInt64.max)

    private let prefix: String
    // Begun by the updater, ended by it, by a shutdown or by a confirmation.
    private let own: Locked<StartupWatchdogFile>
    private let ownSlot: Int
    private let process = getpid()

    /// Takes the first free file of the source.
    /// - Parameters:
    ///   - prefix: What the files' paths begin with.
    ///   - endings: Gets what dead processes left.
    /// - Throws: An error if a file cannot be used, or if 1,000 are taken.
    init(prefix: String, endings: inout [Ending]) throws(FileError) {
        self.prefix = prefix
        var found: (file: StartupWatchdogFile, slot: Int)?
        for slot in 0..<Self.maxFiles {
            guard let file = try StartupWatchdogFile(path: "\(prefix)\(slot)") else { continue }
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
    func takeEndings() throws(FileError) -> [Ending] {
        var endings: [Ending] = []
        for slot in 0..<Self.maxFiles {
            guard access("\(prefix)\(slot)", F_OK) == 0 else { break }
            if slot != ownSlot, let file = try StartupWatchdogFile(path: "\(prefix)\(slot)") {
                Self.take(file, &endings)
            }
        }
        return endings
    }

    /// Begins to watch this process; to be called before the version is applied, which may be its end.
    func begin(_ version: Int) {
        own.withLock { $0.watch(version, process: Int64(process), word: Self.word) }
    }

    /// The version that this process is watched with, nil if it is not.
    var watched: Int? { isOwnProcess ? own.withLock { $0.watched } : nil }

    /// Stops the watchdog because the process lives on or now shuts down in order; the next process is notified.
    /// - Returns: The version that was watched, nil if none was.
    @discardableResult
    func survive() -> Int? { end(with: .survived) }

    /// Stops the watchdog because its version is gone. A version that succeeded is still to be reported.
    /// - Returns: The version that was watched, nil if none was.
    @discardableResult
    func abandon() -> Int? { end(with: .idle) }

    /// Notes that the success was reported, unless the watchdog observes another version by now.
    func acknowledge() {
        guard isOwnProcess else { return }
        own.withLock { own in
            if own.watched == nil { own.set(.idle) }
        }
    }

    @discardableResult
    private func end(with mark: StartupWatchdogFile.Mark) -> Int? {
        guard isOwnProcess else { return nil }
        return own.withLock { own in
            guard let version = own.watched else { return nil }
            own.set(mark)
            return version
        }
    }

    // A forked child shares the file with its parent.
    private var isOwnProcess: Bool { process == getpid() }

    deinit {
        abandon()
    }

    private static func take(_ file: StartupWatchdogFile, _ endings: inout [Ending]) {
        let record = file.record
        switch record.mark {
        case .idle: break
        case .watching, .survived:
            endings.append(
                Ending(
                    version: record.version, process: record.process, word: record.word,
                    hasSurvived: record.mark == .survived))
        }
        file.set(.idle)
    }
}
