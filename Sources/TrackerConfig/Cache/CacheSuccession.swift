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
            // Storing the same document twice would leave none for a rollback.
            let behind = !isSame(entry, current) && isGood(current) ? current : previous
            return [entry] + (behind.map { [$0] } ?? [])
        }
        guard let previous else { return [current, entry] }
        if previous.version > entry.version, isGood(previous) { return stored }
        return renews(entry, previous) ? [current, entry] : stored
    }

    private static func isSame(_ entry: CacheEntry, _ other: CacheEntry) -> Bool {
        other.version == entry.version && other.document == entry.document
    }

    /// Whether an entry differs from a stored one in anything to be stored.
    private static func renews(_ entry: CacheEntry, _ stored: CacheEntry) -> Bool {
        // An older release may have stored the entry without headers.
        let hasHeaders = entry.headers.isEmpty || !stored.headers.isEmpty
        return !isSame(entry, stored) || stored.validators != entry.validators || !hasHeaders
    }
}
