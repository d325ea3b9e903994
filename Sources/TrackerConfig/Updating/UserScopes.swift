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

    private static let schemes: Set = ["http", "https", "file"]

    /// The scope of a user.
    /// - Parameter user: The user; nil and empty are no user.
    /// - Returns: The scope.
    /// - Throws: If the URL cannot be used, or the user cannot stand in it.
    func scope(of user: String?) throws(ConfigurationError) -> UserScope {
        let user = user.flatMap { $0.isEmpty ? nil : $0 }
        let url = try remote.url(for: user, schemes: Self.schemes)
        let shared = try remote.url(for: nil, schemes: Self.schemes)
        return UserScope(user: user, url: url.text, sharedURL: shared.text)
    }

    /// The source of a scope's document.
    func source(of scope: UserScope) throws(ConfigurationError) -> any ConfigurationSource {
        try makeSource(remote.url(for: scope.user, schemes: Self.schemes), scope.user)
    }

    /// What a scope's user can fall back to.
    func chain(of scope: UserScope) -> FallbackChain {
        FallbackChain(
            urls: scope.urls, cache: cache, default: `default`,
            defaultVersion: defaultVersion.map { DocumentVersion($0) }, verification: verification,
            startTime: startTime, collectors: collectors)
    }

    /// The guards of a scope's documents.
    /// - Parameters:
    ///   - scope: The scope.
    ///   - existing: Guards of which those of the same documents are kept.
    /// - Returns: The guards.
    func guards(of scope: UserScope, existing: VersionGuards? = nil) -> VersionGuards {
        var guards = scope.urls.map { existing?.known($0) ?? versions(of: $0) }[...]
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
