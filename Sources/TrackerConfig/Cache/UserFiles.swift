import FoundationEssentials
import TrackerPlatform

/// The files that a service keeps for each user of a document with `{user}`: in the cache directory and the state
/// directory, those of the users who were the current one last.
///
/// The files of one user begin with one name, and one of them is the user's mark. A process holds its lock, which
/// processes share, for as long as it may use the others, and its time says when a process last took it.
package struct UserFiles: Sendable {
    /// A directory with files of users.
    package struct Place: Sendable {
        let directory: String
        /// What the names begin with, before the hash of the user's URL.
        let prefix: String

        package init(directory: String, prefix: String = "") {
            (self.directory, self.prefix) = (directory, prefix)
        }
    }

    /// The number of users whose files stay.
    package static let limit = 1000
    private static let suffix = ".user"
    // Each lock is an open file.
    private static let mostLocks = 64

    private let places: [Place]
    private let limit: Int

    /// - Parameters:
    ///   - places: The directories.
    ///   - limit: The number of users whose files stay.
    package init(_ places: [Place], limit: Int = UserFiles.limit) {
        (self.places, self.limit) = (places, limit)
    }

    /// Takes the marks of a user.
    /// - Parameter url: The URL of the user's document.
    /// - Returns: The marks' locks, to be held while the user's files may be used, without the one of a directory that
    ///   cannot be written; and whether the user is new in a directory, so that others may be surplus.
    package func use(_ url: String) -> (marks: [FileLock], isNew: Bool) {
        var hash = StableHash()
        hash.combine(url.utf8)
        var isNew = false
        let marks = places.compactMap { place in
            take("\(place.directory)/\(place.prefix)\(hash.hex)\(Self.suffix)", in: place, &isNew)
        }
        return (marks, isNew)
    }

    private func take(_ mark: String, in place: Place, _ isNew: inout Bool) -> FileLock? {
        // A failure is a warning of the record of versions and of the cache, which need the same directories.
        guard (try? StandardDirectory.create(place.directory)) != nil else { return nil }
        // Another process may be removing the files just now, and the mark with them.
        for _ in 0..<3 {
            let isThere = access(mark, F_OK) == 0
            guard let lock = try? FileLock(path: mark, isShared: true), lock.isAtItsPath else { continue }
            if !isThere { isNew = true }
            _ = futimens(lock.descriptor, nil)
            return lock
        }
        return nil
    }

    /// Removes the files of the users beyond the limit who were the current one longest ago, and of no process now.
    /// - Returns: A warning for each directory that cannot be read.
    package func removeSurplus() -> [ConfigurationError] {
        places.compactMap { place in
            do {
                try removeSurplus(of: place)
                return nil
            } catch {
                let reason = "files of former users are not removed from \(place.directory): \(error)"
                return ConfigurationError(.warning, place: "cache", reason: reason)
            }
        }
    }

    private func removeSurplus(of place: Place) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: place.directory)
        let users = names.filter { $0.hasPrefix(place.prefix) && $0.hasSuffix(Self.suffix) }
        guard users.count > limit else { return }
        let marks = users.compactMap { name in
            let path = "\(place.directory)/\(name)"
            return Self.time(of: path).map { (name: name, path: path, time: $0) }
        }
        var surplus = marks.sorted { ($0.time, $0.name) < ($1.time, $1.name) }.prefix(users.count - limit)
        while !surplus.isEmpty {
            // One that a process has, or had meanwhile, stays.
            let locked = surplus.prefix(Self.mostLocks).compactMap { mark in
                let lock = try? FileLock(path: mark.path)
                return lock.flatMap { Self.time(of: mark.path) == mark.time ? (mark: mark, lock: $0) : nil }
            }
            surplus = surplus.dropFirst(Self.mostLocks)
            // List the files only while holding the locks: another process may have added one.
            let names = try FileManager.default.contentsOfDirectory(atPath: place.directory)
            let files = Dictionary(grouping: names) { $0.prefix { $0 != "." } }
            for (mark, _) in locked {
                for name in files[mark.name.prefix { $0 != "." }] ?? [] where name != mark.name {
                    unlink("\(place.directory)/\(name)")
                }
                unlink(mark.path)
            }
            withExtendedLifetime(locked) {}
        }
    }

    /// When a file was changed last, in nanoseconds since 1970; nil if it is not there.
    private static func time(of path: String) -> Int? {
        var information = stat()
        guard lstat(path, &information) == 0 else { return nil }
        return information.st_mtim.tv_sec * 1_000_000_000 + information.st_mtim.tv_nsec
    }
}
