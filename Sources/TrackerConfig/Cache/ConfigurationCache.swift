/// A store of fetched documents for later starts: the files in ``SetupOptions/cacheDirectory``, a ``MemoryCache``, or your
/// own cache, for example on Redis or in a database.
///
/// A cache stores a short list of entries for each URL, in whose place ``RemoteConfiguration/cacheKey`` stands if it is
/// set. The setup decides which entries can be used and which are kept.
/// ``CacheEntry/serializedBytes`` is a form of an entry for caches that store bytes.
///
/// ```swift
/// actor FleetCache: ConfigurationCache {
///     let table: Table
///
///     func entries(for url: String) async throws -> [CacheEntry] {
///         try await table.rows(url).compactMap { CacheEntry(serializedBytes: $0) }
///     }
///
///     func replace(_ old: [CacheEntry], with new: [CacheEntry], for url: String) async throws -> Bool {
///         try await table.transaction { table in
///             let stored = try await table.rows(url).compactMap { CacheEntry(serializedBytes: $0) }
///             guard stored == old else { return false }
///             try await table.setRows(url, new.map(\.serializedBytes))
///             return true
///         }
///     }
/// }
/// ```
///
/// A setup calls its cache from detached tasks on Swift's shared thread pool, one call at a time, so a call must not
/// block its thread. It starts with the default and applies the cached document as soon as it is loaded; see
/// ``SetupOptions/cacheTimeout``. A call that takes ten times that long is cancelled, and no further call begins before
/// it has returned. Each failure is a warning of the next update and a line in the log.
public protocol ConfigurationCache: Sendable {
    /// Returns the entries of a URL, the newest first.
    /// - Parameter url: The URL from which the documents were fetched.
    /// - Returns: The entries; empty if there are none. Entries that cannot be read are left out.
    /// - Throws: Any error if the cache cannot be read; the setup then continues without it.
    func entries(for url: String) async throws -> [CacheEntry]

    /// Replaces the entries of a URL in one step, if they are still those that were read.
    /// - Parameters:
    ///   - old: The entries as ``entries(for:)`` returned them.
    ///   - new: The new entries, the newest first, at most two; empty removes all.
    ///   - url: The URL from which the documents were fetched.
    /// - Returns: False if the URL has other entries than `old`; nothing is changed then, and the setup reads them again.
    /// - Throws: Any error if the entries cannot be stored; the old ones should stay.
    func replace(_ old: [CacheEntry], with new: [CacheEntry], for url: String) async throws -> Bool
}
