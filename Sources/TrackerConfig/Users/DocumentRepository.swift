/// Finds, reads and stores the documents of a setup's users.
package struct DocumentRepository: Sendable {
    let remote: RemoteConfiguration
    /// Makes what fetches the document of a URL and a user.
    let makeSource: @Sendable (EndpointURL, String?) throws(ConfigurationError) -> any ConfigurationSource
    let identity: VersionHistory.Identity
    package let cache: CacheAccess
    let stateDirectory: String?
    package let `default`: DefaultConfiguration
    package let defaultVersion: Int?
    let startTime: Int64
    let collectors: CollectorPolicy
    /// The files of users; nil if the document is the same for all.
    let userFiles: UserFiles?
    /// Takes the warnings of changes of the cache in the background.
    let late: @Sendable ([ConfigurationError]) -> Void

    package init(
        remote: RemoteConfiguration,
        makeSource: @escaping @Sendable (EndpointURL, String?) throws(ConfigurationError) -> any ConfigurationSource,
        identity: VersionHistory.Identity, cache: CacheAccess, stateDirectory: String?,
        default: DefaultConfiguration, defaultVersion: Int?, startTime: Int64, collectors: CollectorPolicy,
        userFiles: UserFiles? = nil, late: @escaping @Sendable ([ConfigurationError]) -> Void = { _ in }
    ) {
        (self.remote, self.makeSource, self.identity) = (remote, makeSource, identity)
        (self.cache, self.stateDirectory, self.default) = (cache, stateDirectory, `default`)
        (self.defaultVersion, self.startTime, self.collectors) = (defaultVersion, startTime, collectors)
        (self.userFiles, self.late) = (userFiles, late)
    }

    /// The check of fetched and cached documents.
    var verification: Verification { Verification(remote) }

    private static let schemes: Set = ["http", "https", "file"]

    /// The scope of a user.
    /// - Parameter user: The user; nil and empty are no user.
    /// - Returns: The scope.
    /// - Throws: If the URL cannot be used, or the user cannot stand in it.
    package func scope(of user: String?) throws(ConfigurationError) -> UserScope {
        let user = user.flatMap { $0.isEmpty ? nil : $0 }
        let url = try remote.url(for: user, schemes: Self.schemes)
        let shared = try remote.url(for: nil, schemes: Self.schemes)
        return UserScope(
            user: user, url: try remote.documentName(for: user, at: url),
            sharedURL: try remote.documentName(for: nil, at: shared), address: url.text)
    }

    /// The documents of a scope's user.
    /// - Parameters:
    ///   - scope: The scope.
    ///   - existing: Documents of another user; the histories of those that are the same are kept.
    /// - Returns: The documents.
    /// - Throws: If there is no source for the URL.
    package func documents(
        of scope: UserScope, existing: UserDocuments? = nil
    ) throws(ConfigurationError) -> UserDocuments {
        let url = try remote.url(for: scope.user, schemes: Self.schemes)
        // The one of the same document knows its stream.
        let known = existing.flatMap { $0.scope.url == scope.url ? $0.source as? HTTPSource : nil }
        let source: any ConfigurationSource = if let known { known } else { try makeSource(url, scope.user) }
        var histories = scope.urls.map { url in
            existing?.history(of: url)
                ?? history(of: url, marks: url == scope.sharedURL ? [] : userFiles?.use(url) ?? [])
        }[...]
        return UserDocuments(scope, source, own: histories.removeFirst(), shared: histories.first)
    }

    /// What a user can fall back to. Entries that no process can use are removed from the cache.
    /// - Parameters:
    ///   - documents: The user's documents.
    ///   - contents: What the cache has.
    ///   - excluded: A configuration that is not to be used.
    /// - Returns: The configuration, nil if there is none at all, the warnings, and the documents that are held back.
    package func fallback(
        of documents: UserDocuments, in contents: CacheContents, excluding excluded: ActiveConfiguration? = nil
    ) -> (
        configuration: ActiveConfiguration?, warnings: [ConfigurationError], skipped: [FallbackChain.Skipped]
    ) {
        let chain = FallbackChain(
            urls: documents.scope.urls, default: `default`, defaultVersion: defaultVersion,
            verification: verification, startTime: startTime, collectors: collectors)
        let choice = chain.firstUsable(in: contents.entries, excluding: excluded, documents)
        var contents = contents
        var warnings = contents.takeWarnings() + choice.warnings
        for (url, unusable) in choice.unusable {
            warnings += cache.update(
                url, failure: "a cached document that cannot be used was not removed",
                { stored in CacheChange(stored.filter { !unusable.contains($0) }) }, late: late)
        }
        return (choice.configuration, warnings, choice.skipped)
    }

    /// The document that the cache has from before the one in use.
    /// - Parameters:
    ///   - active: The document in use.
    ///   - entries: What the cache has of its URL.
    /// - Returns: The document; nil if there is none that may be used.
    func document(before active: ActiveConfiguration, in entries: [CacheEntry]) -> Document? {
        guard let version = active.version, let entry = entries.first(where: { $0.version < version }),
            let url = active.url, verification.fault(of: entry, at: url) == nil,
            // The reason is left out, because nothing follows from it: its events wait in the store as before.
            let document = try? Document(entry.document), (try? collectors.check(document, entry.document)) != nil
        else { return nil }
        return document
    }

    /// Stores a document for later starts.
    /// - Parameters:
    ///   - entry: The document.
    ///   - previous: The active configuration before it.
    ///   - unproven: The version of a canary that had not passed yet in this process.
    ///   - history: The history of the URL's documents.
    /// - Returns: The warnings if it is stored already.
    package func store(
        _ entry: CacheEntry, after previous: ActiveConfiguration?, unproven: Int?, _ history: VersionHistory
    ) -> [ConfigurationError] {
        // What this process would not start with is nothing to go back to; what it cannot read is neither.
        let isGood: @Sendable (CacheEntry) -> Bool = { kept in
            if unproven == kept.version { return false }
            // Most often it is the one that was active, which need not be read again. The reason is left out:
            // it is not kept.
            let known = previous?.text == kept.document ? previous?.document : nil
            guard let document = known ?? (try? Document(kept.document)) else { return false }
            return document.isProven(since: kept.fetchTime.milliseconds, at: entry.fetchTime.milliseconds)
                && history.objection(to: document, hasOther: true) == nil
        }
        let verification = self.verification
        return cache.update(
            entry.url, failure: "the document was applied but not cached",
            { stored in
                // With a higher version, one that does not verify would keep this one out of the cache.
                let faults = stored.map { ($0, verification.fault(of: $0, at: entry.url)) }
                let usable = faults.filter { $0.1 == nil }.map(\.0)
                return CacheChange(
                    usable, CacheSuccession.entries(storing: entry, after: usable, isGood: isGood),
                    warnings: faults.compactMap { entry, fault in fault.map(entry.warning) })
            }, late: late)
    }

    /// A new history of a URL's documents.
    /// - Parameters:
    ///   - url: The URL.
    ///   - watches: Whether this process is to be watched.
    ///   - marks: The marks of the user's files.
    /// - Returns: The history.
    package func history(of url: String, watches: Bool = true, marks: [FileLock] = []) -> VersionHistory {
        VersionHistory(
            directory: stateDirectory, url: url, identity: identity, watches: watches, marks: marks)
    }
}
