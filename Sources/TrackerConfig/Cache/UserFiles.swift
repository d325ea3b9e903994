import FoundationEssentials
import Glibc

/// The files that a service keeps for each user of a document with `{user}`: in the cache directory and the state
/// directory, those of the users who were the current one last.
///
/// The files of one user begin with one name, and one of them is the user's mark. A process holds its lock, which
/// processes share, for as long as it may use the others, and its time says when a process last took it.
package final class UserFiles: Sendable {
    /// A directory with files of users.
    package struct Place: Sendable {
        let directory: String
        /// What the names begin with, before the hash of the user's URL.
        let prefix: String

        package init(directory: String, prefix: String = "") {
            (self.directory, self.prefix) = (directory, prefix)
        }
    }

    private struct State: Sendable {
        /// The users who were new here since the start.
        var added = 0
        var removal: Task<Void, Never>?
    }

    /// The number of users whose files stay.
    package static let limit = 1000
    /// A look through the directories takes milliseconds, so it comes with the first of so many new users.
    private static let addedPerLook = 64
    private static let suffix = ".user"

    private let places: [Place]
    private let limit: Int
    private let state = Locked(State())

    /// - Parameters:
    ///   - places: The directories.
    ///   - limit: The number of users whose files stay.
    package init(_ places: [Place], limit: Int = UserFiles.limit) {
        (self.places, self.limit) = (places, limit)
    }

    /// Takes the marks of a user, and removes files of others in the background if there are too many.
    /// - Parameter url: The URL of the user's document.
    /// - Returns: The marks' locks, to be held while the user's files may be used; without the one of a directory that
    ///   cannot be written, to which nothing is added either.
    package func use(_ url: String) -> [FileLock] {
        var hash = StableHash()
        hash.combine(url.utf8)
        var isNew = false
        let locks = places.compactMap { place in
            take("\(place.directory)/\(place.prefix)\(hash.hex)\(Self.suffix)", in: place, &isNew)
        }
        guard isNew else { return locks }
        state.withLock { state in
            state.added += 1
            guard state.added % Self.addedPerLook == 1 else { return }
            state.removal = Task.detached(priority: .utility) { [self, earlier = state.removal] in
                await earlier?.value
                for place in places { removeSurplus(of: place) }
            }
        }
        return locks
    }

    /// Returns when no removal is under way.
    package func settle() async {
        await state.withLock { $0.removal }?.value
    }

    private func take(_ mark: String, in place: Place, _ isNew: inout Bool) -> FileLock? {
        // A failure is a warning of the record of versions and of the cache, which need the same directories.
        guard (try? StandardDirectory.create(place.directory)) != nil else { return nil }
        // Another process may be removing the files just now, and the mark with them.
        for _ in 0..<3 {
            let isThere = access(mark, F_OK) == 0
            guard let lock = try? FileLock(path: mark, isShared: true) else { continue }
            guard lock.isAtItsPath else { continue }
            if !isThere { isNew = true }
            _ = futimens(lock.descriptor, nil)
            return lock
        }
        return nil
    }

    /// Removes the files of the users beyond the limit who were the current one longest ago, and of no process now.
    private func removeSurplus(of place: Place) {
        // Nothing to read, or nothing that can be read, has nothing to remove.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.directory)) ?? []
        let users = names.filter { $0.hasPrefix(place.prefix) && $0.hasSuffix(Self.suffix) }
        guard users.count > limit else { return }
        let marks = users.compactMap { name in
            let path = "\(place.directory)/\(name)"
            return Self.time(of: path).map { (name: name, path: path, time: $0) }
        }
        var surplus = marks.sorted { ($0.time, $0.name) < ($1.time, $1.name) }.prefix(users.count - limit)
        while !surplus.isEmpty {
            // One that a process has, or had meanwhile, stays. A few at a time, because each lock is an open file.
            let locked = surplus.prefix(Self.addedPerLook).compactMap { mark in
                let lock = try? FileLock(path: mark.path)
                return lock.flatMap { Self.time(of: mark.path) == mark.time ? (mark: mark, lock: $0) : nil }
            }
            surplus = surplus.dropFirst(Self.addedPerLook)
            // Looked for behind the locks, so that none is left without its mark; what cannot be listed now stays.
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: place.directory) else { return }
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
