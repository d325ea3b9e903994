/// Which entries of a URL are kept: the current one and the one before it.
package enum CacheSuccession {
    /// Returns the entries after one more is stored.
    ///
    /// An entry of a lower version than the current one's is not stored: another process was faster.
    /// - Parameters:
    ///   - entry: The new entry.
    ///   - stored: The entries until now, the current one first.
    ///   - isGood: Returns whether the current entry is worth keeping behind the new one; a document that was reverted is not.
    /// - Returns: The entries; `stored` itself if the new one is not to be stored.
    package static func entries(
        storing entry: CacheEntry, after stored: [CacheEntry], isGood: (CacheEntry) -> Bool = { _ in true }
    ) -> [CacheEntry] {
        guard let current = stored.first else { return [entry] }
        if current.documentVersion > entry.documentVersion { return stored }
        let isSame = current.documentVersion == entry.documentVersion && current.document == entry.document
        // A release that kept no headers may have written the current one.
        let hasHeaders = entry.headers.isEmpty || !current.headers.isEmpty
        if isSame && current.validators == entry.validators && hasHeaders { return stored }
        // The same document twice would leave nothing to go back to.
        let previous = !isSame && isGood(current) ? current : stored.dropFirst().first
        return [entry] + (previous.map { [$0] } ?? [])
    }
}
