import FoundationEssentials
import TrackerPlatform

/// What is known of a source's versions beyond the life of a process.
struct VersionRecord: Sendable, Equatable, Codable {
    /// The processes that ended soon after they applied a version.
    struct Crashes: Sendable, Equatable, Codable {
        let version: Int
        /// Those in a row.
        var count = 0
        /// When there were too many last, in milliseconds since 1970; nil if there never were.
        var blameTime: Int64?
        /// Whether it is held back, for an hour from then.
        var isHeld = false
        /// Whether a process that survived has released it, which happens once.
        var isReleased = false

        private static let maxHold: Int64 = 3_600_000

        /// Until when it is held back at a time, both in milliseconds since 1970; nil if it is not. A wall clock that was set
        /// back doubles the hour at most.
        func holdEnd(at time: Int64) -> Int64? {
            guard isHeld, let blameTime, blameTime > time - Self.maxHold, blameTime < time + Self.maxHold else {
                return nil
            }
            return blameTime + Self.maxHold
        }
    }

    /// A version that an instance reverted.
    struct Reversion: Sendable, Equatable, Codable {
        let version: Int
        let reason: String
    }

    // The 16 newest; older versions were replaced long ago.
    private static let maxKept = 16

    private(set) var crashes: [Crashes] = []
    private(set) var reversions: [Reversion] = []
    /// Versions with which a process survived: they are never blamed, the newest last.
    private(set) var survivors: [Int] = []

    /// Counts a process that vanished soon after it applied a version.
    mutating func vanished(_ version: Int, limit: Int, at time: Int64) {
        guard !survivors.contains(version) else { return }
        var entry = crashes.first { $0.version == version } ?? Crashes(version: version)
        crashes.removeAll { $0.version == version }
        entry.count = min(entry.count, 999_999) + 1
        if entry.count >= limit { (entry.blameTime, entry.isHeld) = (time, true) }
        crashes = Array((crashes + [entry]).sorted { $0.version < $1.version }.suffix(Self.maxKept))
    }

    /// Notes that a process shut down in order with a version, which resets the count unless there were too many.
    mutating func shutDown(_ version: Int) {
        for index in crashes.indices where crashes[index].version == version && crashes[index].blameTime == nil {
            crashes[index].count = 0
        }
    }

    /// Notes that a process survived.
    /// - Parameter version: The version that it was watched with, which is proved; nil for a default. Versions that are held back
    ///   are tried again, if no process has released them before.
    mutating func survived(_ version: Int?) {
        if let version {
            crashes.removeAll { $0.version == version }
            survivors = (survivors.filter { $0 != version } + [version]).suffix(Self.maxKept)
        }
        for index in crashes.indices where crashes[index].isHeld && !crashes[index].isReleased {
            (crashes[index].isHeld, crashes[index].isReleased) = (false, true)
        }
    }

    /// Releases a version, so that it is tried again; the next process that vanishes with it holds it back again.
    mutating func release(_ version: Int) {
        for index in crashes.indices where crashes[index].version == version { crashes[index].isHeld = false }
    }

    /// Marks a version as bad.
    mutating func reverted(_ version: Int, _ reason: String) {
        let others = reversions.filter { $0.version != version }
        reversions = (others + [Reversion(version: version, reason: reason)]).suffix(Self.maxKept)
    }
}

/// A source's ``VersionRecord`` on disk, shared by the processes of a state directory.
struct VersionRecordFile: Sendable {
    // Others hold the lock for some milliseconds.
    private static let maxWait = Duration.seconds(1)
    // It has 48 entries at most, some with a sentence.
    private static let largestFile = 1 << 20

    let path: String

    /// Reads the record; an empty one if there is none yet.
    /// - Returns: The record, and what is odd.
    func read() -> (record: VersionRecord, warning: String?) {
        do throws(FileError) {
            guard let bytes = try [UInt8](contentsOfFile: path, atMost: Self.largestFile) else {
                return (VersionRecord(), nil)
            }
            // How it is damaged would not help the operator.
            if let record = try? JSONDecoder().decode(VersionRecord.self, from: Data(bytes)) { return (record, nil) }
            let done = rename(path, "\(path).unusable") == 0 ? "was set aside" : "is passed over"
            return (VersionRecord(), "the record of versions \(path) is damaged and \(done)")
        } catch {
            return (VersionRecord(), "the record of versions cannot be read: \(error)")
        }
    }

    /// Changes the record, alone among the processes.
    /// - Returns: The record as it is now, and what is odd.
    /// - Throws: An error if it cannot be written; it stays as it was then.
    func update(
        _ change: (inout VersionRecord) -> Void
    ) throws(FileError) -> (record: VersionRecord, warning: String?) {
        let lock = try FileLock.waiting(path: "\(path).lock", atMost: Self.maxWait)
        defer { withExtendedLifetime(lock) {} }
        let (old, warning) = read()
        var record = old
        change(&record)
        // It is always encodable.
        guard record != old, let bytes = try? JSONEncoder().encode(record) else { return (record, warning) }
        try AtomicFile.replace(path, with: Array(bytes), under: lock)
        return (record, warning)
    }
}
