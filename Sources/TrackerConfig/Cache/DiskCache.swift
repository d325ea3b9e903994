import Foundation

/// A cache of one file per URL, with the document before it beside it.
///
/// A file is written under another name, synced and renamed, so that no reader ever finds half of one; several processes
/// may share the directory.
public struct DiskCache: ConfigurationCache {
    // Another process writes for some milliseconds; one that takes longer is stuck.
    private static let mostWait = Duration.seconds(2)

    private let directory: String

    /// Creates a cache.
    /// - Parameter directory: Where its files are; it is made at the first ``store(_:)``.
    public init(directory: String) {
        self.directory = directory
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
            switch Self.entry(path, url) {
            case .success(nil): continue
            case .success(let entry?):
                switch judge(entry) {
                case .usable: return (entry, warnings)
                case .passedOver: continue
                case .unusable(let fault): reason = fault
                }
            case .failure(let fault): reason = fault.reason
            }
            // Where the directory is read-only it stays and will be looked at again, which does no harm.
            let done = rename(path, "\(path).unusable") == 0 ? "was set aside" : "is passed over"
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
        let lock = try FileLock.waiting(path: "\(path).lock", atMost: Self.mostWait)
        defer { withExtendedLifetime(lock) {} }
        var old: CacheEntry?
        if case .success(let entry) = Self.entry(path, entry.url) { old = entry }
        guard let succession = CacheSuccession(of: entry, after: old, isGood: isGood) else { return }
        let temporary = "\(path).\(getpid()).\(UInt64.random(in: 0...UInt64.max)).tmp"
        do throws(FileError) {
            try entry.fileContents.write(to: temporary)
            // Between the two renames a reader finds the previous document, which is as good as the current one was.
            if succession == .rotates, rename(path, previous(entry.url)) != 0 && errno != ENOENT {
                throw FileError(.rename, path: path)
            }
            if rename(temporary, path) != 0 { throw FileError(.rename, path: path) }
        } catch {
            unlink(temporary)
            throw error
        }
        StandardDirectory.sync(directory)
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

    /// Reads a file; nil where there is none.
    private static func entry(_ path: String, _ url: String) -> Result<CacheEntry?, Fault> {
        do throws(FileError) {
            guard let contents = try [UInt8](contentsOfFile: path) else { return .success(nil) }
            guard let entry = CacheEntry(fileContents: contents) else {
                return .failure(Fault(reason: "it is damaged"))
            }
            return entry.url == url ? .success(entry) : .failure(Fault(reason: "it belongs to another URL"))
        } catch {
            return .failure(Fault(reason: error.description))
        }
    }
}
