import FoundationEssentials
import TrackerCore
import TrackerPlatform

/// The persistent record of a source's versions.
struct VersionRecord: Sendable, Equatable, Codable {
    /// The processes that crashed soon after they applied a version.
    struct Crashes: Sendable, Equatable, Codable {
        let version: Int
        /// The number of consecutive crashes.
        var count = 0
        /// The time when the limit was last reached, in milliseconds since 1970; nil if it never was.
        var blameTime: Int64?
        /// Whether the version is held back, for an hour from ``blameTime``.
        var isHeld = false
        /// Whether a surviving process has released the version, which happens once.
        var isReleased = false

        private static let maxHold: Int64 = 3_600_000

        /// The end of the hold at a time, both in milliseconds since 1970; nil if the version is not held back. If the
        /// wall clock is set back, the hour at most doubles.
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

    // The newest 16 versions; older ones were replaced long ago.
    private static let maxKept = 16

    private(set) var crashes: [Crashes] = []
    private(set) var reversions: [Reversion] = []
    /// The versions with which a process survived, the newest last. They are never held back.
    private(set) var survivors: [Int] = []

    /// Counts a process that crashed soon after it applied a version.
    mutating func vanished(_ version: Int, limit: Int, at time: Int64) {
        guard !survivors.contains(version) else { return }
        var entry = crashes.first { $0.version == version } ?? Crashes(version: version)
        crashes.removeAll { $0.version == version }
        entry.count = min(entry.count, 999_999) + 1
        if entry.count >= limit { (entry.blameTime, entry.isHeld) = (time, true) }
        crashes = Array((crashes + [entry]).sorted { $0.version < $1.version }.suffix(Self.maxKept))
    }

    /// Notes that a process with a version was shut down, which resets the count unless the limit was reached.
    mutating func shutDown(_ version: Int) {
        for index in crashes.indices where crashes[index].version == version && crashes[index].blameTime == nil {
            crashes[index].count = 0
        }
    }

    /// Notes that a process survived.
    /// - Parameter version: The version with which it was watched, which is proven; nil for a default. Versions that
    ///   are held back are retried, unless a process has released them before.
    mutating func survived(_ version: Int?) {
        if let version {
            crashes.removeAll { $0.version == version }
            survivors = (survivors.filter { $0 != version } + [version]).suffix(Self.maxKept)
        }
        for index in crashes.indices where crashes[index].isHeld && !crashes[index].isReleased {
            (crashes[index].isHeld, crashes[index].isReleased) = (false, true)
        }
    }

    /// Releases a version, so that it is retried; one more crash holds it back again.
    mutating func release(_ version: Int) {
        for index in crashes.indices where crashes[index].version == version { crashes[index].isHeld = false }
    }

    /// Records that a version was reverted.
    mutating func reverted(_ version: Int, _ reason: String) {
        let others = reversions.filter { $0.version != version }
        reversions = (others + [Reversion(version: version, reason: reason)]).suffix(Self.maxKept)
    }
}

/// A source's ``VersionRecord`` on disk, shared by the processes of a state directory.
struct VersionRecordFile: Sendable {
    // Other processes hold the lock for some milliseconds.
    private static let maxWait = Duration.seconds(1)
    // It has at most 48 entries, some with a sentence.
    private static let largestFile = 1 << 20

    let path: String

    /// Reads the record, which is empty if the file is missing.
    /// - Returns: The record, and a warning if there is one.
    func read() -> (record: VersionRecord, warning: String?) {
        do throws(FileError) {
            guard let bytes = try [UInt8](contentsOfFile: path, atMost: Self.largestFile) else {
                return (VersionRecord(), nil)
            }
            // The details of the damage would not help the operator.
            if let record = try? JSONDecoder().decode(VersionRecord.self, from: Data(bytes)) { return (record, nil) }
            let done = rename(path, "\(path).unusable") == 0 ? "was set aside" : "is passed over"
            return (VersionRecord(), "the record of versions \(path) is damaged and \(done)")
        } catch {
            return (VersionRecord(), "the record of versions cannot be read: \(error)")
        }
    }

    /// Changes the record while no other process does.
    /// - Returns: The changed record, and a warning if there is one.
    /// - Throws: An error if it cannot be written; then it is unchanged.
    func update(
        _ change: (inout VersionRecord) -> Void
    ) throws(FileError) -> (record: VersionRecord, warning: String?) {
        let lock = try FileLock.waiting(path: "\(path).lock", atMost: Self.maxWait)
        defer { withExtendedLifetime(lock) {} }
        let (old, warning) = read()
        var record = old
        change(&record)
        // A record can always be encoded.
        guard record != old, let bytes = try? JSONEncoder().encode(record) else { return (record, warning) }
        try AtomicFile.replace(path, with: Array(bytes), under: lock)
        return (record, warning)
    }
}
