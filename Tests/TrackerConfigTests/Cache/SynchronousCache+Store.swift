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

    /// Removes the entries of which that is asked.
    func remove(_ url: String, where isUnusable: @escaping @Sendable (CacheEntry) -> Bool = { _ in true }) throws {
        _ = try update(url) { CacheChange($0.filter { !isUnusable($0) }) }
    }
}
