/// Keeps fetched documents for the next start. Two implementations: ``DiskCache`` and ``MemoryCache``; bring your own to
/// keep them elsewhere.
public protocol ConfigurationCache: Sendable {
    /// Finds the newest entry of a URL that can be used: the current one, else the one before it.
    ///
    /// Entries that cannot be used are set aside, so that they are not tried again.
    /// - Parameters:
    ///   - url: The URL that the document was fetched from.
    ///   - isUsable: Says why an entry cannot be used, nil where it can.
    /// - Returns: The entry, and a sentence for each that was set aside.
    func entry(
        for url: String, isUsable: (CacheEntry) -> String?
    ) -> (entry: CacheEntry?, warnings: [String])

    /// Keeps an entry as the current one of its URL, and the current one as the one before it.
    /// - Parameter entry: The entry.
    /// - Throws: Where it cannot be kept; what was there stays.
    func store(_ entry: CacheEntry) throws(FileError)
}
