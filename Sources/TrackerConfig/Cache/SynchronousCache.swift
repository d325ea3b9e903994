/// A cache that answers at once, because it is on this machine.
///
/// A setup starts with its document, and stores a document before it delivers the update.
package protocol SynchronousCache: ConfigurationCache {
    /// Reads the entries of a URL, the newest first; damaged ones are removed.
    /// - Parameter url: The URL.
    /// - Returns: The entries, and a warning for each damaged one.
    func read(_ url: String) -> (entries: [CacheEntry], warnings: [String])

    /// Replaces the entries of a URL, if they are still those that were read; see ``replace(_:with:for:)``.
    func exchange(_ old: [CacheEntry], with new: [CacheEntry], for url: String) throws(FileError) -> Bool
}

extension SynchronousCache {
    /// Reads the entries of URLs.
    package func contents(of urls: [String]) -> CacheContents {
        var contents = CacheContents()
        for url in urls {
            let (entries, warnings) = read(url)
            contents.entries[url] = entries
            contents.warnings += warnings
        }
        return contents
    }

    /// Changes the entries of a URL.
    /// - Returns: The warnings.
    /// - Throws: A ``FileError`` or ``CacheConflict``.
    package func update(_ url: String, _ plan: CacheChange.Plan) throws -> [String] {
        var damage: [String] = []
        attempts: for _ in 0..<CacheChange.maxAttempts {
            var (stored, warnings) = read(url)
            damage += warnings
            let change = plan(stored)
            for entries in change.steps where entries != stored {
                guard try exchange(stored, with: entries, for: url) else { continue attempts }
                stored = entries
            }
            return damage + change.warnings
        }
        throw CacheConflict()
    }
}
