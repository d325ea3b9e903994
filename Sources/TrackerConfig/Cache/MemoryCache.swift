import TrackerCore

/// A cache in memory. Its entries are lost when the process ends.
public final class MemoryCache: ConfigurationCache {
    private let stored = Locked<[String: [CacheEntry]]>([:])

    /// Creates an empty cache.
    public init() {}

    /// Returns the entries of a URL, the newest first.
    /// - Parameter url: The URL of the documents.
    /// - Returns: The entries; empty if there are none.
    public func entries(for url: String) -> [CacheEntry] { stored.withLock { $0[url] ?? [] } }

    /// Changes the entries of a URL in one step.
    /// - Parameters:
    ///   - url: The URL of the documents.
    ///   - change: Receives the stored entries and returns the entries to store, the newest first. It must not use the
    ///     cache.
    public func update(_ url: String, _ change: ([CacheEntry]) -> [CacheEntry]) {
        stored.withLock { $0[url] = change($0[url] ?? []) }
    }

    /// Removes an entry.
    /// - Parameters:
    ///   - entry: The entry.
    ///   - url: The URL of the document.
    public func remove(_ entry: CacheEntry, for url: String) {
        update(url) { stored in stored.filter { $0 != entry } }
    }
}
