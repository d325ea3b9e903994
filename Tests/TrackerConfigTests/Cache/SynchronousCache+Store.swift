import TrackerConfig

extension SynchronousCache {
    /// Stores an entry, as a setup does.
    func store(_ entry: CacheEntry) throws {
        _ = try update(entry.url) { CacheChange(CacheSuccession.entries(storing: entry, after: $0)) }
    }

    /// The newest entry of a URL, and what is odd about the others.
    func find(_ url: String) -> (entry: CacheEntry?, warnings: [String]) {
        let (entries, warnings) = read(url)
        return (entries.first, warnings)
    }
}
