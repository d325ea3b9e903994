import Glibc

/// A source's ``VersionRecord`` on disk, shared by the processes of a state directory.
struct VersionRecordFile: Sendable {
    // Others hold the lock for some milliseconds.
    private static let maxWait = Duration.seconds(1)
    // It has 32 entries at most, each with a sentence.
    private static let largestFile = 1 << 20

    let path: String

    /// Reads the record; an empty one if there is none yet.
    /// - Returns: The record, and what is odd.
    func read() -> (record: VersionRecord, warning: String?) {
        do throws(FileError) {
            guard let bytes = try [UInt8](contentsOfFile: path, atMost: Self.largestFile) else {
                return (VersionRecord(), nil)
            }
            if let record = VersionRecord(bytes: bytes) { return (record, nil) }
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
        guard record != old else { return (record, warning) }
        try AtomicFile.replace(path, with: record.bytes, under: lock)
        return (record, warning)
    }
}
