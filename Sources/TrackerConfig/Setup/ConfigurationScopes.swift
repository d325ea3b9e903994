import FoundationEssentials

/// Makes the scopes of a setup's users.
struct ConfigurationScopes: Sendable {
    let remote: RemoteConfiguration
    let options: SetupOptions
    let transport: any HTTPTransport
    let cache: any ConfigurationCache
    let stateDirectory: String?
    let `default`: DefaultConfiguration
    let defaultVersion: Int?
    let startTime: Int64
    let collectors: CollectorPolicy

    /// The check of fetched and cached documents.
    var verification: Verification { Verification(remote) }

    /// The scope of a user.
    /// - Parameter user: The user; nil and empty are nobody.
    /// - Returns: The scope.
    /// - Throws: Where the URL cannot be used, or the user cannot stand in it.
    func scope(of user: String?) throws(ConfigurationError) -> ConfigurationScope {
        let user = user.flatMap { $0.isEmpty ? nil : $0 }
        let schemes: Set = ["http", "https", "file"]
        let url = try remote.url(for: user, schemes: schemes)
        let shared = try remote.url(for: nil, schemes: schemes)
        let ladder = ConfigurationLadder(
            urls: url == shared ? [url.text] : [url.text, shared.text], cache: cache, default: `default`,
            defaultVersion: defaultVersion.map { DocumentVersion($0) }, verification: verification,
            startTime: startTime, collectors: collectors)
        return ConfigurationScope(user: user, url: url.text, source: try source(for: url, user), ladder: ladder)
    }

    private func source(for url: EndpointURL, _ user: String?) throws(ConfigurationError) -> any ConfigurationSource {
        if let makeSource = options.makeSource { return makeSource(url.text, user) }
        if let source = options.source {
            // It knows no users, and would give one user's document to another.
            guard !remote.namesUser else {
                throw ConfigurationError(
                    .unusableURL, place: "options.source",
                    reason: "one source cannot fetch each user's document; makeSource makes one for each user")
            }
            return source
        }
        if url.scheme == "file" {
            return FileSource(path: URL(string: url.text)?.path ?? "", maximumSize: remote.maximumSize)
        }
        var remote = self.remote
        remote.user = user
        return try HTTPSource(remote, transport: transport, time: options.time)
    }

    /// The guards of a scope's documents.
    /// - Parameters:
    ///   - scope: The scope.
    ///   - existing: Guards of which those of the same documents are kept.
    /// - Returns: The guards.
    func guards(of scope: ConfigurationScope, existing: VersionGuards? = nil) -> VersionGuards {
        var guards = scope.ladder.urls.map { existing?.known($0) ?? versions(of: $0) }[...]
        return VersionGuards(own: guards.removeFirst(), shared: guards.first)
    }

    /// A new guard of a URL's documents.
    /// - Parameters:
    ///   - url: The URL.
    ///   - watches: Whether this process is to be watched.
    /// - Returns: The guard.
    func versions(of url: String, watches: Bool = true) -> VersionGuard {
        VersionGuard(
            directory: stateDirectory, url: url, keepsFloor: remote.keepsVersionFloor, options: options,
            watches: watches)
    }
}
