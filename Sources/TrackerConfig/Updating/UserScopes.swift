/// Makes the scopes of a setup's users.
package struct UserScopes: Sendable {
    let remote: RemoteConfiguration
    /// Makes what fetches the document of a URL and a user.
    let makeSource: @Sendable (EndpointURL, String?) throws(ConfigurationError) -> any ConfigurationSource
    let identity: VersionGuard.Identity
    let cache: any ConfigurationCache
    let stateDirectory: String?
    package let `default`: DefaultConfiguration
    package let defaultVersion: Int?
    let startTime: Int64
    let collectors: CollectorPolicy

    /// The check of fetched and cached documents.
    var verification: Verification { Verification(remote) }

    /// The scope of a user.
    /// - Parameter user: The user; nil and empty are nobody.
    /// - Returns: The scope.
    /// - Throws: Where the URL cannot be used, or the user cannot stand in it.
    func scope(of user: String?) throws(ConfigurationError) -> UserScope {
        let user = user.flatMap { $0.isEmpty ? nil : $0 }
        let schemes: Set = ["http", "https", "file"]
        let url = try remote.url(for: user, schemes: schemes)
        let shared = try remote.url(for: nil, schemes: schemes)
        let chain = FallbackChain(
            urls: url == shared ? [url.text] : [url.text, shared.text], cache: cache, default: `default`,
            defaultVersion: defaultVersion.map { DocumentVersion($0) }, verification: verification,
            startTime: startTime, collectors: collectors)
        return UserScope(user: user, url: url.text, source: try makeSource(url, user), chain: chain)
    }

    /// The guards of a scope's documents.
    /// - Parameters:
    ///   - scope: The scope.
    ///   - existing: Guards of which those of the same documents are kept.
    /// - Returns: The guards.
    func guards(of scope: UserScope, existing: VersionGuards? = nil) -> VersionGuards {
        var guards = scope.chain.urls.map { existing?.known($0) ?? versions(of: $0) }[...]
        return VersionGuards(own: guards.removeFirst(), shared: guards.first)
    }

    /// A new guard of a URL's documents.
    /// - Parameters:
    ///   - url: The URL.
    ///   - watches: Whether this process is to be watched.
    /// - Returns: The guard.
    func versions(of url: String, watches: Bool = true) -> VersionGuard {
        VersionGuard(
            directory: stateDirectory, url: url, keepsFloor: remote.keepsVersionFloor, identity: identity,
            watches: watches)
    }
}
