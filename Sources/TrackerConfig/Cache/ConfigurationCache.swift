/// Keeps fetched documents for the next start. Two implementations: ``DiskCache`` and ``MemoryCache``; bring your own to
/// keep them elsewhere.
public protocol ConfigurationCache: Sendable {
    /// Finds the newest entry of a URL that can be used: the current one, else the one before it.
    ///
    /// Entries that nobody can use are set aside, so that they are not tried again.
    /// - Parameters:
    ///   - url: The URL that the document was fetched from.
    ///   - judge: Says what an entry is good for.
    /// - Returns: The entry, and a sentence for each that was set aside.
    func entry(
        for url: String, judge: (CacheEntry) -> CacheJudgement
    ) -> (entry: CacheEntry?, warnings: [String])

    /// Keeps an entry as the current one of its URL, and the current one as the one before it.
    ///
    /// An entry of a lower version than the current one's is not kept: another process was faster.
    /// - Parameters:
    ///   - entry: The entry.
    ///   - isGood: Whether the current one is worth keeping as the one before; a document that was reverted is not.
    /// - Throws: Where it cannot be kept; what was there stays.
    func store(_ entry: CacheEntry, isGood: (CacheEntry) -> Bool) throws(FileError)
}

extension ConfigurationCache {
    /// Keeps an entry as the current one of its URL, and the current one, good or not, as the one before it.
    /// - Parameter entry: The entry.
    /// - Throws: Where it cannot be kept; what was there stays.
    public func store(_ entry: CacheEntry) throws(FileError) {
        try store(entry) { _ in true }
    }
}

/// What an entry of the cache is good for.
public enum CacheJudgement: Sendable, Hashable {
    /// A process may start with it.
    case usable
    /// This process may not start with it, another one may; it stays where it is.
    case passedOver
    /// Nobody can, for this reason.
    case unusable(String)
}

/// What becomes of the entries that are there when one more is stored.
enum CacheSuccession {
    /// The current one becomes the one before.
    case rotates
    /// The current one goes; the one before stays.
    case replaces

    /// Decides it; nil where the new entry is not to be stored.
    /// - Parameters:
    ///   - entry: The new entry.
    ///   - current: The current one, nil where there is none that can be read.
    ///   - isGood: Whether the current one is worth keeping as the one before.
    init?(of entry: CacheEntry, after current: CacheEntry?, isGood: (CacheEntry) -> Bool) {
        guard let current else {
            self = .replaces
            return
        }
        let isSame = current.documentVersion == entry.documentVersion && current.document == entry.document
        if current.documentVersion > entry.documentVersion { return nil }
        // A release that kept no headers may have written the current one.
        let hasHeaders = entry.headers.isEmpty || !current.headers.isEmpty
        if isSame && current.validators == entry.validators && hasHeaders { return nil }
        // The same document twice would leave nothing to go back to.
        self = !isSame && isGood(current) ? .rotates : .replaces
    }
}
