import Foundation

/// Watches whether processes outlive the first moments with a version, across processes.
///
/// Each process has a ``WatchFile`` of its own in the state directory; what those of dead processes say is told once.
final class CrashWatch: Sendable {
    /// How a process that had just applied a version came to its end.
    struct Ending: Sendable, Hashable {
        let version: Int
        /// Its number: a process with several setups ends once.
        let process: Int64
        /// Whether it lived on or ended in order.
        let hasSurvived: Bool
    }

    private let prefix: String
    private let own: WatchFile
    private let ownSlot: Int
    private let process = getpid()

    /// Takes the first free file of the source.
    /// - Parameters:
    ///   - prefix: What the files' paths begin with.
    ///   - endings: Gets what dead processes left.
    /// - Throws: Where a file cannot be used.
    init(prefix: String, endings: inout [Ending]) throws(FileError) {
        self.prefix = prefix
        TerminationMark.install()
        var slot = 0
        while true {
            if let file = try WatchFile(path: "\(prefix)\(slot)") {
                Self.take(file, &endings)
                (own, ownSlot) = (file, slot)
                break
            }
            slot += 1
        }
        endings += try takeEndings()
    }

    /// What processes left that have died since.
    func takeEndings() throws(FileError) -> [Ending] {
        var endings: [Ending] = []
        var slot = 0
        while access("\(prefix)\(slot)", F_OK) == 0 {
            if slot != ownSlot, let file = try WatchFile(path: "\(prefix)\(slot)") { Self.take(file, &endings) }
            slot += 1
        }
        return endings
    }

    /// Begins to watch this process; to be called before the version is applied, which may be its end.
    func begin(_ version: Int) {
        own.mark = .idle
        own.version = version
        own.process = Int64(process)
        own.mark = .watching
        TerminationMark.add(own.markAddress)
    }

    /// The version that this process is watched with, nil where it is not.
    var watched: Int? { own.mark == .watching ? own.version : nil }

    /// Ends the watch because the process lives on or now ends in order; the next one is told.
    /// - Returns: The version that was watched, nil where none was.
    @discardableResult
    func survive() -> Int? {
        guard isOwnProcess, let version = watched else { return nil }
        own.mark = .survived
        TerminationMark.remove(own.markAddress)
        return version
    }

    /// Ends the watch, and what it would tell.
    func forget() {
        guard isOwnProcess else { return }
        own.mark = .idle
        TerminationMark.remove(own.markAddress)
    }

    // A forked child shares the page with its parent.
    private var isOwnProcess: Bool { process == getpid() }

    deinit {
        if watched != nil { forget() }
        // A signal may come after the page has gone.
        if isOwnProcess { TerminationMark.remove(own.markAddress) }
    }

    private static func take(_ file: WatchFile, _ endings: inout [Ending]) {
        switch file.mark {
        case .idle, .terminated: break
        case .watching: endings.append(Ending(version: file.version, process: file.process, hasSurvived: false))
        case .survived: endings.append(Ending(version: file.version, process: file.process, hasSurvived: true))
        }
        file.mark = .idle
    }
}
