import TrackerCore
import TrackerPlatform

/// A cache with a file for each URL, and a second file for the previous document.
///
/// A file is written under another name, synced and renamed, so that readers never find an incomplete file. Several
/// processes may share the directory.
package struct DiskCache: ConfigurationCache {
    // Another process writes for some milliseconds; if it takes longer, it is stuck.
    private static let maxWait = Duration.seconds(2)
    // A process that is being forked holds every lock for a moment.
    private static let maxWaitToRemove = Duration.milliseconds(200)

    let directory: String
    private let largestFile: Int
    private let warn: @Sendable (String) -> Void

    /// Creates a cache.
    /// - Parameters:
    ///   - directory: The directory of its files, which is created with the first entry. Symbolic links in it are not
    ///     followed.
    ///   - maxDocumentSize: The maximum size of a document that is read, in bytes; 64 MiB by default. A setup uses
    ///     ``RemoteConfiguration/maxDocumentSize``.
    ///   - warn: Called for each unusable file.
    package init(
        directory: String, maxDocumentSize: Int = 1 << 26, warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.directory, self.warn) = (directory, warn)
        largestFile = min(max(maxDocumentSize, 0), [UInt8].largestFile - CacheEntry.headRoom) + CacheEntry.headRoom
    }

    /// A damaged file is left out and gets the suffix `.unusable`.
    package func entries(for url: String) -> [CacheEntry] { Self.entries(files(of: url)) }

    /// It waits at most 2 s for other processes, and stores two entries. If the closure returns no entries, nothing is
    /// changed.
    package func update(_ url: String, _ change: ([CacheEntry]) -> [CacheEntry]) throws {
        try StandardDirectory.create(directory)
        // If the file system has no locks, the renames alone protect readers.
        let lock = try FileLock.waiting(path: "\(current(url)).lock", atMost: Self.maxWait)
        defer { withExtendedLifetime(lock) {} }
        let files = files(of: url, under: lock)
        let stored = Self.entries(files)
        let entries = change(stored)
        guard entries != stored, let newest = entries.first else { return }
        let older = entries.dropFirst().first
        try AtomicFile.replace(current(url), with: newest.serializedBytes, under: lock) { () throws(FileError) in
            guard let older, older != files[1] else { return }
            // Between the two renames a reader finds the previous document, which was current until now.
            if older == files[0] { return try AtomicFile.move(current(url), to: previous(url)) }
            try AtomicFile.replace(previous(url), with: older.serializedBytes, under: lock)
        }
        if older == nil, files[1] != nil { unlink(previous(url)) }
    }

    /// The entry's file gets the suffix `.unusable`. It waits at most 0.2 s for other processes.
    package func remove(_ entry: CacheEntry, for url: String) throws {
        let lock = try FileLock.waiting(path: "\(current(url)).lock", atMost: Self.maxWaitToRemove)
        defer { withExtendedLifetime(lock) {} }
        for path in [current(url), previous(url)] {
            // A file that cannot be read is not this entry; the next read of the cache warns of it.
            guard (try? read(path, url).get()) == entry else { continue }
            guard setAside(path) else { throw FileError(.rename, path: path) }
        }
    }

    private func current(_ url: String) -> String {
        var hash = StableHash()
        hash.combine(url.utf8)
        return "\(directory)/\(hash.hex).cache"
    }

    private func previous(_ url: String) -> String { "\(current(url)).previous" }

    private struct Fault: Error {
        let reason: String
    }

    /// Reads the current and the previous file of a URL, and sets unusable ones aside.
    /// - Parameters:
    ///   - url: The URL.
    ///   - lock: The lock of the URL if this process holds it.
    /// - Returns: The entries of both files.
    private func files(of url: String, under lock: FileLock? = nil) -> [CacheEntry?] {
        [current(url), previous(url)].map { path in
            let seen = FileStamp(path, followsLinks: false)
            switch read(path, url) {
            case .success(let entry): return entry
            case .failure(let fault):
                let done =
                    (lock == nil ? isSetAside(path, seen, url) : setAside(path)) ? "was set aside" : "is passed over"
                warn("the cached document \(path) cannot be used and \(done): \(fault.reason)")
                return nil
            }
        }
    }

    /// Reads a file; nil if there is none.
    private func read(_ path: String, _ url: String) -> Result<CacheEntry?, Fault> {
        do throws(FileError) {
            guard let contents = try [UInt8](contentsOfFile: path, atMost: largestFile) else { return .success(nil) }
            guard let entry = CacheEntry(serializedBytes: contents) else {
                return .failure(Fault(reason: "it is damaged"))
            }
            return entry.url == url ? .success(entry) : .failure(Fault(reason: "it belongs to another URL"))
        } catch {
            return .failure(Fault(reason: error.description))
        }
    }

    /// Sets a file aside, unless another process has replaced it since it was read.
    private func isSetAside(_ path: String, _ seen: FileStamp?, _ url: String) -> Bool {
        let lock: FileLock?
        do throws(FileError) {
            lock = try FileLock.waiting(path: "\(current(url)).lock", atMost: Self.maxWaitToRemove)
        } catch  where error.operation == .lock {
            // Another process is replacing the file.
            return false
        } catch {
            // If the file system has no locks, the stamp must suffice. In a read-only directory the file stays, and
            // each start reads it again, which is harmless.
            lock = nil
        }
        defer { withExtendedLifetime(lock) {} }
        guard let seen, FileStamp(path, followsLinks: false) == seen else { return false }
        return setAside(path)
    }

    private func setAside(_ path: String) -> Bool { rename(path, "\(path).unusable") == 0 }

    /// The entries of the current and the previous file. While another process moves the current file, a reader may
    /// find the same entry twice.
    private static func entries(_ files: [CacheEntry?]) -> [CacheEntry] {
        files.compactMap(\.self).reduce(into: []) { entries, entry in
            if entry != entries.last { entries.append(entry) }
        }
    }
}
