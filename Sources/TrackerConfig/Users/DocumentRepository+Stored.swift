extension DocumentRepository {
    /// The documents that the cache has of a user's own URL, the newest first; those that do not verify are left out.
    /// - Parameter scope: The scope of the user.
    /// - Returns: The documents; none if the cache does not answer in time.
    package func storedDocuments(of scope: UserScope) async -> [CacheEntry] {
        let contents =
            switch cache {
            case .synchronous(let cache): cache.contents(of: [scope.url])
            case .queued(let queue): await queue.contents(of: [scope.url])
            }
        return (contents.entries[scope.url] ?? []).filter { verification.fault(of: $0, at: scope.url) == nil }
    }
}
