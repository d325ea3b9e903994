/// Selects the entries of a URL that are kept: the one with the highest version, and an older one for a rollback.
package enum CacheSuccession {
    /// Returns the entries after another one is stored.
    ///
    /// A late process may store a lower version than the current one. It is kept as the second entry, because the
    /// current one may be a canary that other processes revert.
    /// - Parameters:
    ///   - entry: The new entry.
    ///   - stored: The stored entries, the current one first.
    ///   - isGood: Returns whether an entry may be kept as the second one; a reverted document may not.
    /// - Returns: The entries; `stored` itself if the new one is not to be stored.
    package static func entries(
        storing entry: CacheEntry, after stored: [CacheEntry], isGood: (CacheEntry) -> Bool = { _ in true }
    ) -> [CacheEntry] {
        guard let current = stored.first else { return [entry] }
        let previous = stored.dropFirst().first
        guard current.version > entry.version else {
            if !renews(entry, current) { return stored }
            // A reversion holds all documents of a version, so another one of the same is no target for a rollback.
            let behind = current.version != entry.version && isGood(current) ? current : previous
            return [entry] + (behind.map { [$0] } ?? [])
        }
        guard let previous else { return [current, entry] }
        if previous.version > entry.version, isGood(previous) { return stored }
        return renews(entry, previous) ? [current, entry] : stored
    }

    /// Whether an entry differs from a stored one in anything to be stored.
    private static func renews(_ entry: CacheEntry, _ stored: CacheEntry) -> Bool {
        // An older release may have stored the entry without headers.
        let hasHeaders = entry.headers.isEmpty || !stored.headers.isEmpty
        let isSame = stored.version == entry.version && stored.document == entry.document
        return !isSame || stored.validators != entry.validators || !hasHeaders
    }
}
