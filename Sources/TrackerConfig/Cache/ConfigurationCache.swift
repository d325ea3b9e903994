/// A store of fetched documents for later starts: the files in ``SetupOptions/cacheDirectory``, a ``MemoryCache``, or
/// your own cache.
///
/// A cache stores a short list of entries for each URL, or for ``RemoteConfiguration/cacheKey`` if it is set. The setup
/// decides which entries are usable and which are kept. ``CacheEntry/serializedBytes`` is the form of an entry for
/// caches that store bytes.
///
/// ```swift
/// struct FleetCache: ConfigurationCache {
///     let table: Table
///
///     func entries(for url: String) throws -> [CacheEntry] {
///         try table.rows(url).compactMap { CacheEntry(serializedBytes: $0) }
///     }
///
///     func update(_ url: String, _ change: ([CacheEntry]) -> [CacheEntry]) throws {
///         try table.transaction { table in
///             let stored = try table.rows(url).compactMap { CacheEntry(serializedBytes: $0) }
///             try table.setRows(url, change(stored).map(\.serializedBytes))
///         }
///     }
///
///     func remove(_ entry: CacheEntry, for url: String) throws {
///         try update(url) { $0.filter { $0 != entry } }
///     }
/// }
/// ```
///
/// A setup reads its cache on the thread that creates it, and writes to it on the thread of its updates before it
/// delivers the update, so a call that waits for a network delays the start. Each error is a warning of the next update
/// and a line in the log.
public protocol ConfigurationCache: Sendable {
    /// Returns the entries of a URL, the newest first.
    /// - Parameter url: The URL of the documents.
    /// - Returns: The entries; empty if there are none. Entries that cannot be read are left out.
    /// - Throws: Any error if the cache cannot be read; the setup then continues without it.
    func entries(for url: String) throws -> [CacheEntry]

    /// Changes the entries of a URL in one step: no other process stores entries between the call of the closure and
    /// the end of the step.
    /// - Parameters:
    ///   - url: The URL of the documents.
    ///   - change: Receives the stored entries and returns the entries to store, the newest first, at most two. It does
    ///     not block, and may be called again if the step has to be repeated.
    /// - Throws: Any error if the entries cannot be stored; the old ones should stay.
    func update(_ url: String, _ change: ([CacheEntry]) -> [CacheEntry]) throws

    /// Removes an entry that no process can use, for example because its signature is no longer valid.
    /// - Parameters:
    ///   - entry: The entry; nothing is removed if it is not stored.
    ///   - url: The URL of the document.
    /// - Throws: Any error if the entry cannot be removed.
    func remove(_ entry: CacheEntry, for url: String) throws
}
