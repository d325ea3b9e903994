import Glibc

/// A cache with a file for each URL, and a second file for the previous document.
///
/// A file is written under another name, synced and renamed, so that no reader finds an incomplete file. Several
/// processes may share the directory.
package struct DiskCache: ConfigurationCache {
    // Another process writes for some milliseconds; one that takes longer is stuck.
    private static let maxWait = Duration.seconds(2)
    // A process that is just being forked holds every lock for a moment.
    private static let maxWaitToRemove = Duration.milliseconds(200)

    let directory: String
    private let largestFile: Int

    /// Creates a cache.
    /// - Parameters:
    ///   - directory: The directory of its files, which is created with the first entry. Symbolic links in it are not
    ///     followed.
    ///   - maxDocumentSize: The largest document that is read, in bytes; 64 MiB by default. A setup that makes the cache uses
    ///     ``RemoteConfiguration/maxDocumentSize``.
    package init(directory: String, maxDocumentSize: Int = 1 << 26) {
        self.directory = directory
        largestFile = min(max(maxDocumentSize, 0), [UInt8].largestFile - CacheEntry.headRoom) + CacheEntry.headRoom
    }

    /// A damaged file is left out and gets the suffix `.unusable`.
    package func entries(for url: String) async -> [CacheEntry] {
        read(url).entries
    }

    /// It waits at most 2 s for other processes, and stores two entries. If there is no new one, the files of the removed ones get
    /// the suffix `.unusable`.
    package func replace(_ old: [CacheEntry], with new: [CacheEntry], for url: String) async throws -> Bool {
        try exchange(old, with: new, for: url)
    }

    private func current(_ url: String) -> String {
        var hash = StableHash()
        hash.combine(url.utf8)
        return "\(directory)/\(hash.hex).cache"
    }

    private func previous(_ url: String) -> String {
        "\(current(url)).previous"
    }

    private struct Fault: Error {
        let reason: String
    }

    /// Reads a file; nil if there is none.
    private func entry(_ path: String, _ url: String) -> Result<CacheEntry?, Fault> {
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

    private func readable(_ path: String, _ url: String) -> CacheEntry? {
        if case .success(let entry) = entry(path, url) { entry } else { nil }
    }

    /// Sets a file aside, unless another process has replaced it since it was read.
    private func isSetAside(_ path: String, _ seen: FileStamp?, _ url: String) -> Bool {
        let lock: FileLock?
        do throws(FileError) {
            lock = try FileLock.waiting(path: "\(current(url)).lock", atMost: Self.maxWaitToRemove)
        } catch  where error.operation == .lock {
            // Another process is replacing it.
            return false
        } catch {
            // On a file system without locks the stamp alone has to do. In a read-only directory the file stays, and each
            // start reads it again, which does no harm.
            lock = nil
        }
        defer { withExtendedLifetime(lock) {} }
        guard let seen, FileStamp(path, followsLinks: false) == seen else { return false }
        return setAside(path)
    }

    private func setAside(_ path: String) -> Bool { rename(path, "\(path).unusable") == 0 }
}

extension DiskCache: SynchronousCache {
    package func read(_ url: String) -> (entries: [CacheEntry], warnings: [String]) {
        var (entries, warnings): ([CacheEntry?], [String]) = ([], [])
        for path in [current(url), previous(url)] {
            let seen = FileStamp(path, followsLinks: false)
            switch entry(path, url) {
            case .success(let entry): entries.append(entry)
            case .failure(let fault):
                let done = isSetAside(path, seen, url) ? "was set aside" : "is passed over"
                warnings.append("the cached document \(path) cannot be used and \(done): \(fault.reason)")
            }
        }
        return (Self.entries(entries), warnings)
    }

    package func exchange(
        _ old: [CacheEntry], with new: [CacheEntry], for url: String
    ) throws(FileError) -> Bool {
        // There is nothing to write.
        if old == new { return read(url).entries == old }
        try StandardDirectory.create(directory)
        let onlyRemoves = new == old.filter(new.contains)
        // On a file system without locks the renames alone keep readers safe.
        let lock = try FileLock.waiting(
            path: "\(current(url)).lock", atMost: onlyRemoves ? Self.maxWaitToRemove : Self.maxWait)
        defer { withExtendedLifetime(lock) {} }
        let files = [current(url), previous(url)].map { (path: $0, entry: readable($0, url)) }
        guard Self.entries(files.map(\.entry)) == old else { return false }
        guard !onlyRemoves else {
            for case (let path, let entry?) in files where !new.contains(entry) {
                guard setAside(path) else { throw FileError(.rename, path: path) }
            }
            return true
        }
        let (newest, older) = (new[0], new.dropFirst().first)
        try AtomicFile.replace(files[0].path, with: newest.serializedBytes, under: lock) { () throws(FileError) in
            guard let older, older != files[1].entry else { return }
            // Between the two renames a reader finds the previous document, which is as good as the current one was.
            if older == files[0].entry { return try AtomicFile.move(files[0].path, to: files[1].path) }
            try AtomicFile.replace(files[1].path, with: older.serializedBytes, under: lock)
        }
        if older == nil, files[1].entry != nil { unlink(files[1].path) }
        return true
    }

    /// The entries of the current and the previous file. A process that stores an entry moves the one to the place of the
    /// other, so that a reader may find it twice.
    private static func entries(_ files: [CacheEntry?]) -> [CacheEntry] {
        files.compactMap(\.self).reduce(into: []) { entries, entry in
            if entry != entries.last { entries.append(entry) }
        }
    }
}
