extension Setup {
    static func cache(_ options: SetupOptions, _ warnings: inout [ConfigurationWarning]) -> any ConfigurationCache {
        if let cache = options.cache { return cache }
        if let directory = options.cacheDirectory ?? StandardDirectory.cache.path() {
            return DiskCache(directory: directory)
        }
        let reason = "no directory is known; fetched documents are kept in memory only"
        warnings.append(ConfigurationWarning(place: "cache", reason: reason))
        return MemoryCache()
    }
}
