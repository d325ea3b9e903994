/// A cache that ends with the process.
public final class MemoryCache: ConfigurationCache {
    private let entries = Locked<[String: [CacheEntry]]>([:])

    /// Creates an empty cache.
    public init() {}

    /// Finds the newest entry of a URL that can be used.
    /// - Parameters:
    ///   - url: The URL that the document was fetched from.
    ///   - judge: Says what an entry is good for.
    /// - Returns: The entry, and a sentence for each that was set aside.
    public func entry(
        for url: String, judge: (CacheEntry) -> CacheJudgement
    ) -> (entry: CacheEntry?, warnings: [String]) {
        var warnings: [String] = []
        for entry in entries.withLock({ $0[url] ?? [] }) {
            switch judge(entry) {
            case .usable: return (entry, warnings)
            case .passedOver: break
            case .unusable(let reason):
                warnings.append("a cached document cannot be used: \(reason)")
                entries.withLock { $0[url]?.removeAll { $0 == entry } }
            }
        }
        return (nil, warnings)
    }

    /// Keeps an entry as the current one of its URL, and the current one as the one before it.
    /// - Parameters:
    ///   - entry: The entry; one of a lower version than the current one's is not kept.
    ///   - isGood: Whether the current one is worth keeping as the one before.
    public func store(_ entry: CacheEntry, isGood: (CacheEntry) -> Bool) {
        let old = entries.withLock { $0[entry.url] ?? [] }
        guard let succession = CacheSuccession(of: entry, after: old.first, isGood: isGood) else { return }
        let previous = succession == .rotates ? old.prefix(1) : old.dropFirst().prefix(1)
        entries.withLock { $0[entry.url] = [entry] + previous }
    }
}
