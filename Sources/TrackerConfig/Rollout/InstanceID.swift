import TrackerCore
import TrackerPlatform

/// The id by which rollouts select an instance, shared by the processes of a state directory.
enum InstanceID {
    // Other processes hold the lock for some milliseconds.
    private static let maxWait = Duration.seconds(1)
    // A generated id has 36 bytes; operators may write their own.
    private static let largestFile = 4096

    /// Reads the id stored in a directory, or generates and stores one.
    /// - Returns: The same id for all processes of the directory.
    static func kept(in directory: String, _ random: any RandomSource) throws(FileError) -> String {
        let path = "\(directory)/instance-id"
        if let id = try read(path) { return id }
        try StandardDirectory.create(directory)
        let lock = try FileLock.waiting(path: "\(path).lock", atMost: maxWait)
        defer { withExtendedLifetime(lock) {} }
        // If another process was faster, its id applies. The file is not synced, so that the start does not wait for
        // the disk: an incomplete file after a power failure is replaced.
        try AtomicFile.create(path, with: Array(drawn(random).utf8), under: lock, isSynced: false)
        guard let id = try read(path) else { throw FileError(.read, path: path, errorNumber: EIO) }
        return id
    }

    private static func read(_ path: String) throws(FileError) -> String? {
        guard let bytes = try [UInt8](contentsOfFile: path, atMost: largestFile) else { return nil }
        let id = String(decoding: bytes, as: UTF8.self).trimmed
        // A full disk leaves an empty file, and a power failure a file of zeros.
        guard id.isEmpty || id.utf8.allSatisfy({ $0 == 0 }) else { return id }
        unlink(path)
        return nil
    }

    private static func drawn(_ random: any RandomSource) -> String {
        var words = (UInt64(0), UInt64(0))
        withUnsafeMutableBytes(of: &words) { random.fill($0) }
        return EventID(high: words.0, low: words.1).description
    }
}
