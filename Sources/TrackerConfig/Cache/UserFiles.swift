import FoundationEssentials
package import TrackerCore
import TrackerPlatform

/// The files of the most recent users of a document with `{user}`, in the cache directory and the state directory.
///
/// All files of a user have the same prefix, and one of them is the user's mark. A process holds a shared lock of the
/// mark while it may use the other files. The mark's modification time is the time when a process last locked it.
package struct UserFiles: Sendable {
    /// A directory with files of users.
    package struct Directory: Sendable {
        let path: String
        /// The prefix of the names before the hash of the user's URL.
        let prefix: String

        package init(_ path: String, prefix: String = "") {
            (self.path, self.prefix) = (path, prefix)
        }
    }

    /// The maximum number of users whose files are kept.
    package static let limit = 1000
    private static let suffix = ".user"
    // Each lock is an open file.
    private static let mostLocks = 64

    private let directories: [Directory]
    private let limit: Int

    /// - Parameters:
    ///   - directories: The directories.
    ///   - limit: The maximum number of users whose files are kept.
    package init(_ directories: [Directory], limit: Int = UserFiles.limit) {
        (self.directories, self.limit) = (directories, limit)
    }

    /// Locks the marks of a user.
    /// - Parameter url: The URL of the user's document.
    /// - Returns: The locks of the marks, to be held while the user's files may be used, except in directories that
    ///   cannot be written; and whether the user is new in a directory, so that files of others may exceed the limit.
    package func use(_ url: String) -> (marks: [FileLock], isNew: Bool) {
        var hash = StableHash()
        hash.combine(url.utf8)
        var isNew = false
        let marks = directories.compactMap { directory in
            take("\(directory.path)/\(directory.prefix)\(hash.hex)\(Self.suffix)", in: directory, &isNew)
        }
        return (marks, isNew)
    }

    private func take(_ mark: String, in directory: Directory, _ isNew: inout Bool) -> FileLock? {
        // The record of versions and the cache need the same directories and warn about failures.
        guard (try? StandardDirectory.create(directory.path)) != nil else { return nil }
        // Another process may be removing the files and the mark.
        for _ in 0..<3 {
            let isThere = access(mark, F_OK) == 0
            do throws(FileError) {
                guard let lock = try FileLock(path: mark, isShared: true), lock.isAtItsPath else { continue }
                if !isThere { isNew = true }
                _ = futimens(lock.descriptor, nil)
                return lock
            } catch {
                // On a file system without locks, the removal warns that it cannot be done.
                if error.operation == .lock { isNew = true }
                return nil
            }
        }
        return nil
    }

    /// Removes the files of the least recent users beyond the limit, unless a process uses them.
    /// - Returns: A warning for each directory that cannot be read.
    package func removeSurplus() -> [ConfigurationError] {
        directories.compactMap { directory in
            do {
                try removeSurplus(of: directory)
                return nil
            } catch {
                let reason = "files of former users are not removed from \(directory.path): \(error)"
                return ConfigurationError(.warning, place: "cache", reason: reason)
            }
        }
    }

    private func removeSurplus(of directory: Directory) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        let users = names.filter { $0.hasPrefix(directory.prefix) && $0.hasSuffix(Self.suffix) }
        guard users.count > limit else { return }
        let marks = users.compactMap { name in
            let path = "\(directory.path)/\(name)"
            return Self.time(of: path).map { (name: name, path: path, time: $0) }
        }
        var surplus = marks.sorted { ($0.time, $0.name) < ($1.time, $1.name) }.prefix(users.count - limit)
        while !surplus.isEmpty {
            // Skip users that a process has locked, now or since the marks were listed.
            let locked = try surplus.prefix(Self.mostLocks).compactMap { mark in
                let lock = try FileLock(path: mark.path)
                return lock.flatMap { Self.time(of: mark.path) == mark.time ? (mark: mark, lock: $0) : nil }
            }
            surplus = surplus.dropFirst(Self.mostLocks)
            // List the files only while holding the locks: another process may have added one.
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            let files = Dictionary(grouping: names) { $0.prefix { $0 != "." } }
            for (mark, _) in locked {
                for name in files[mark.name.prefix { $0 != "." }] ?? [] where name != mark.name {
                    unlink("\(directory.path)/\(name)")
                }
                unlink(mark.path)
            }
            withExtendedLifetime(locked) {}
        }
    }

    /// The time when a file was last changed, in nanoseconds since 1970; nil if it does not exist.
    private static func time(of path: String) -> Int? {
        var information = stat()
        guard lstat(path, &information) == 0 else { return nil }
        return information.st_mtim.tv_sec * 1_000_000_000 + information.st_mtim.tv_nsec
    }
}
