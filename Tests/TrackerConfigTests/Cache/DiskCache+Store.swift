import TrackerConfig
import TrackerCore

extension ConfigurationCache {
    /// Stores an entry, as a setup does.
    func store(_ entry: CacheEntry) throws {
        try update(entry.url) { CacheSuccession.entries(storing: entry, after: $0) }
    }
}

extension DiskCache {
    /// The newest entry of a URL in a directory, and the warnings about the others.
    static func find(
        _ url: String, in directory: String, maxDocumentSize: Int = 1 << 26
    ) -> (entry: CacheEntry?, warnings: [String]) {
        let warnings = Locked<[String]>([])
        let cache = DiskCache(directory: directory, maxDocumentSize: maxDocumentSize) { warning in
            warnings.withLock { $0.append(warning) }
        }
        return (cache.entries(for: url).first, warnings.withLock { $0 })
    }
}
