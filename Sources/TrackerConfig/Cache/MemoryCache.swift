/// A cache that ends with the process.
public final class MemoryCache: ConfigurationCache {
    private let entries = Locked<[String: [CacheEntry]]>([:])

    /// Creates an empty cache.
    public init() {}

    /// Finds the newest entry of a URL that can be used.
    /// - Parameters:
    ///   - url: The URL that the document was fetched from.
    ///   - isUsable: Says why an entry cannot be used, nil where it can.
    /// - Returns: The entry, and a sentence for each that was set aside.
    public func entry(
        for url: String, isUsable: (CacheEntry) -> String?
    ) -> (entry: CacheEntry?, warnings: [String]) {
        var warnings: [String] = []
        for entry in entries.withLock({ $0[url] ?? [] }) {
            guard let reason = isUsable(entry) else { return (entry, warnings) }
            warnings.append("a cached document cannot be used: \(reason)")
            entries.withLock { $0[url]?.removeAll { $0 == entry } }
        }
        return (nil, warnings)
    }

    /// Keeps an entry as the current one of its URL, and the current one as the one before it.
    /// - Parameter entry: The entry.
    public func store(_ entry: CacheEntry) {
        entries.withLock { $0[entry.url] = [entry] + ($0[entry.url] ?? []).prefix(1) }
    }
}
