/// Which entries of a URL are kept: the one of the highest version, and one behind it to go back to.
package enum CacheSuccession {
    /// Returns the entries after one more is stored.
    ///
    /// A process may come late with a version that is lower than the first one's. It is kept behind that one, which may be a
    /// canary that others will revert.
    /// - Parameters:
    ///   - entry: The new entry.
    ///   - stored: The entries until now, the current one first.
    ///   - isGood: Returns whether an entry is worth keeping behind another one; a document that was reverted is not.
    /// - Returns: The entries; `stored` itself if the new one is not to be stored.
    package static func entries(
        storing entry: CacheEntry, after stored: [CacheEntry], isGood: (CacheEntry) -> Bool = { _ in true }
    ) -> [CacheEntry] {
        guard let current = stored.first else { return [entry] }
        let previous = stored.dropFirst().first
        guard current.version > entry.version else {
            if !renews(entry, current) { return stored }
            // The same document twice would leave nothing to go back to.
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

    /// Whether an entry says anything that a stored one does not.
    private static func renews(_ entry: CacheEntry, _ stored: CacheEntry) -> Bool {
        // A release that kept no headers may have written the stored one.
        let hasHeaders = entry.headers.isEmpty || !stored.headers.isEmpty
        return !isSame(entry, stored) || stored.validators != entry.validators || !hasHeaders
    }
}
