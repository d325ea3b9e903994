/// A cache in memory, which is lost when the process ends.
public final class MemoryCache: ConfigurationCache {
    private let stored = Locked<[String: [CacheEntry]]>([:])

    /// Creates an empty cache.
    public init() {}

    /// Returns the entries of a URL, the newest first.
    /// - Parameter url: The URL from which the documents were fetched.
    /// - Returns: The entries; empty if there are none.
    public func entries(for url: String) async -> [CacheEntry] {
        read(url).entries
    }

    /// Replaces the entries of a URL, if they are still those that were read.
    /// - Parameters:
    ///   - old: The entries that were read.
    ///   - new: The new entries, the newest first; empty removes all.
    ///   - url: The URL from which the documents were fetched.
    /// - Returns: False if the URL has other entries; nothing is changed then.
    public func replace(_ old: [CacheEntry], with new: [CacheEntry], for url: String) async -> Bool {
        exchange(old, with: new, for: url)
    }
}

extension MemoryCache: SynchronousCache {
    package func read(_ url: String) -> (entries: [CacheEntry], warnings: [String]) {
        (stored.withLock { $0[url] ?? [] }, [])
    }

    package func exchange(_ old: [CacheEntry], with new: [CacheEntry], for url: String) -> Bool {
        stored.withLock { stored in
            guard stored[url] ?? [] == old else { return false }
            stored[url] = new
            return true
        }
    }
}
