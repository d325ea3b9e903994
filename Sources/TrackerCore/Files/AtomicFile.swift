import FoundationEssentials
import TrackerPlatform

/// Writes files that are replaced as a whole.
///
/// The bytes go to a temporary file, are synced and renamed, and the directory is synced: a reader finds the old
/// contents or the new ones, also after a power failure. Files have mode 0600.
package enum AtomicFile {
    /// Returns the file that a path names, because writers that rename over a symbolic link would replace the link.
    /// - Parameter path: A path that the user of the SDK has chosen.
    /// - Returns: The target of symbolic links, which need not exist; circular links stay links.
    package static func resolved(_ path: String) -> String {
        var path = path
        for _ in 0..<maxLinks {
            // A path that is not a link, or at which there is nothing, is its own target.
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            path = target.hasPrefix("/") ? target : "\(StandardDirectory.parent(of: path))/\(target)"
        }
        return path
    }

    // The maximum number of links that Linux follows.
    private static let maxLinks = 40

    /// Replaces a file, or creates it.
    /// - Parameters:
    ///   - path: The file; a symbolic link is replaced too. A directory in its place is set aside.
    ///   - bytes: The contents.
    ///   - lock: The lock of all writers of the file; nil on a file system without locks.
    ///   - prepare: Called when the new contents are on the disk, just before the rename; does nothing by default.
    /// - Throws: A ``FileError``; the previous contents stay.
    package static func replace(
        _ path: String, with bytes: [UInt8], under lock: FileLock?,
        prepare: () throws(FileError) -> Void = {}
    ) throws(FileError) {
        let temporary = temporaryPath(for: path, under: lock)
        do throws(FileError) {
            try bytes.write(to: temporary)
            try prepare()
            try move(temporary, to: path)
        } catch {
            unlink(temporary)
            throw error
        }
        syncDirectory(of: path)
    }

    /// Creates a file, unless another process has created it.
    /// - Parameters:
    ///   - path: The file.
    ///   - bytes: The contents.
    ///   - lock: The lock of all writers of the file; nil on a file system without locks.
    ///   - isSynced: Whether to wait until the file is on the disk; true by default. Otherwise a power failure may
    ///     leave no file, or a file that is empty or full of zeros.
    /// - Throws: A ``FileError`` if there is no file afterwards.
    package static func create(
        _ path: String, with bytes: [UInt8], under lock: FileLock?, isSynced: Bool = true
    ) throws(FileError) {
        let temporary = temporaryPath(for: path, under: lock)
        defer { unlink(temporary) }
        try bytes.write(to: temporary, isSynced: isSynced)
        // The link fails if another process was faster; then its contents count.
        if link(temporary, path) != 0 && errno != EEXIST { throw FileError(.rename, path: path) }
        if isSynced { syncDirectory(of: path) }
    }

    /// Renames a file; a directory at the target is set aside.
    /// - Parameters:
    ///   - path: The file.
    ///   - target: Its new path.
    /// - Throws: A ``FileError``; the previous file stays.
    package static func move(_ path: String, to target: String) throws(FileError) {
        if rename(path, target) == 0 { return }
        let failure = errno
        guard failure == EISDIR, setAsideDirectory(target), rename(path, target) == 0 else {
            throw FileError(.rename, path: path, errorNumber: failure)
        }
    }

    /// Removes an empty directory from the path of a file, or renames a directory with files to the suffix `.unusable`.
    /// - Parameter path: The path.
    /// - Returns: Whether the path is free.
    static func setAsideDirectory(_ path: String) -> Bool {
        var information = stat()
        // Another process may have created a file there in the meantime, which stays.
        guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFDIR else { return true }
        return rmdir(path) == 0 || rename(path, "\(path).unusable") == 0
    }

    /// Returns the path for a file that is renamed later.
    ///
    /// Only the holder of the lock writes, so that all writers use one name and a killed process's file is replaced;
    /// without a lock each name is new.
    /// - Parameters:
    ///   - path: The file's last path.
    ///   - lock: The lock of all writers of the file.
    /// - Returns: The path, at which there is no file.
    package static func temporaryPath(for path: String, under lock: FileLock?) -> String {
        guard lock != nil else { return "\(path).\(getpid()).\(UInt64.random(in: 0...UInt64.max)).tmp" }
        let temporary = "\(path).tmp"
        if unlink(temporary) != 0 && errno != ENOENT { _ = setAsideDirectory(temporary) }
        return temporary
    }

    private static func syncDirectory(of path: String) {
        StandardDirectory.sync(StandardDirectory.parent(of: path))
    }
}
