import Glibc

/// A cache of one file per URL, with the document before it beside it.
///
/// A file is written under another name, synced and renamed, so that no reader ever finds half of one; several processes
/// may share the directory.
public struct DiskCache: ConfigurationCache {
    // Another process writes for some milliseconds; one that takes longer is stuck.
    private static let maxWait = Duration.seconds(2)

    private let directory: String
    private let largestFile: Int

    /// Creates a cache.
    /// - Parameters:
    ///   - directory: Where its files are; it is made at the first ``store(_:)``. Symbolic links in it are not followed.
    ///   - maxDocumentSize: The largest document that is read, in bytes; 64 MiB by default. A setup that makes the cache uses
    ///     ``RemoteConfiguration/maxDocumentSize``.
    public init(directory: String, maxDocumentSize: Int = 1 << 26) {
        self.directory = directory
        largestFile = min(max(maxDocumentSize, 0), [UInt8].largestFile - CacheEntry.headRoom) + CacheEntry.headRoom
    }

    /// Finds the newest entry of a URL that can be used: the current one, else the one before it.
    /// - Parameters:
    ///   - url: The URL that the document was fetched from.
    ///   - judge: Says what an entry is good for.
    /// - Returns: The entry, and a sentence for each that was set aside.
    public func entry(
        for url: String, judge: (CacheEntry) -> CacheJudgement
    ) -> (entry: CacheEntry?, warnings: [String]) {
        var warnings: [String] = []
        for path in [current(url), previous(url)] {
            let reason: String
            let seen = FileStamp(path, followsLinks: false)
            switch self.entry(path, url) {
            case .success(nil): continue
            case .success(let entry?):
                switch judge(entry) {
                case .usable: return (entry, warnings)
                case .passedOver: continue
                case .unusable(let fault): reason = fault
                }
            case .failure(let fault): reason = fault.reason
            }
            let done = isSetAside(path, seen, url) ? "was set aside" : "is passed over"
            warnings.append("the cached document \(path) cannot be used and \(done): \(reason)")
        }
        return (nil, warnings)
    }

    /// Keeps an entry as the current one of its URL, and the current one as the one before it.
    ///
    /// Processes that share the directory do so one after the other.
    /// - Parameters:
    ///   - entry: The entry; one of a lower version than the current one's is not kept.
    ///   - isGood: Whether the current one is worth keeping as the one before.
    /// - Throws: Where it cannot be written; what was there stays.
    public func store(_ entry: CacheEntry, isGood: (CacheEntry) -> Bool) throws(FileError) {
        try StandardDirectory.create(directory)
        let path = current(entry.url)
        // On a file system without locks the renames alone keep readers safe.
        let lock = try FileLock.waiting(path: "\(path).lock", atMost: Self.maxWait)
        defer { withExtendedLifetime(lock) {} }
        let old = readable(path, entry.url)
        // A process that was killed between the two renames leaves only the one before, which is the current one then.
        let succession = CacheSuccession(
            of: entry, after: old ?? readable(previous(entry.url), entry.url), isGood: isGood)
        guard let succession else { return }
        try AtomicFile.replace(path, with: entry.fileContents, under: lock) { () throws(FileError) in
            // Between the two renames a reader finds the previous document, which is as good as the current one was.
            if succession == .rotates, old != nil { try AtomicFile.move(path, to: previous(entry.url)) }
        }
    }

    private func current(_ url: String) -> String {
        var hash = StableHash()
        hash.combine(url.utf8)
        return "\(directory)/\(hash.hex).cache"
    }

    private func previous(_ url: String) -> String {
        "\(current(url)).previous"
    }

    /// Sets a file aside where it is the one that was seen, and not what another process has put in its place since.
    private func isSetAside(_ path: String, _ seen: FileStamp?, _ url: String) -> Bool {
        let lock: FileLock?
        do throws(FileError) {
            // A process that is just being forked holds every lock for a moment.
            lock = try FileLock.waiting(path: "\(current(url)).lock", atMost: .milliseconds(200))
        } catch  where error.operation == .lock {
            // Somebody replaces it just now.
            return false
        } catch {
            // On a file system without locks the look alone has to do; where the directory is read-only the file stays
            // and will be looked at again, which does no harm.
            lock = nil
        }
        defer { withExtendedLifetime(lock) {} }
        guard let seen, FileStamp(path, followsLinks: false) == seen else { return false }
        return rename(path, "\(path).unusable") == 0
    }

    private struct Fault: Error {
        let reason: String
    }

    private func readable(_ path: String, _ url: String) -> CacheEntry? {
        if case .success(let entry) = entry(path, url) { entry } else { nil }
    }

    /// Reads a file; nil where there is none.
    private func entry(_ path: String, _ url: String) -> Result<CacheEntry?, Fault> {
        do throws(FileError) {
            guard let contents = try [UInt8](contentsOfFile: path, atMost: largestFile) else { return .success(nil) }
            guard let entry = CacheEntry(fileContents: contents) else {
                return .failure(Fault(reason: "it is damaged"))
            }
            return entry.url == url ? .success(entry) : .failure(Fault(reason: "it belongs to another URL"))
        } catch {
            return .failure(Fault(reason: error.description))
        }
    }
}
