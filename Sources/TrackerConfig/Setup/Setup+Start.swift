import FoundationEssentials

extension Setup {
    static func features(
        _ options: SetupOptions, default: DefaultConfiguration, _ registry: TrackerRegistry,
        stateDirectory: String?, log: Log
    ) -> Features {
        Features(
            options.features, defaultFeatures: `default`.features, defaultExperiments: `default`.experiments, log: log
        ) { parts in
            parts.tracker = { registry.tracker($0) }
            parts.options = options.experiments
            // Of the service, because the URL of a document changes.
            parts.storePath = stateDirectory.map { "\($0)/assignments.sqlite" }
            parts.time = options.time
        }
    }

    /// The namespaces that a setup starts with: those of the start configuration and of the default.
    static func namespaces(
        _ configuration: ActiveConfiguration?, _ bundles: [ConfigurationBundle]
    ) -> Set<ExactText> {
        Set(((configuration?.document?.bundles ?? []) + bundles).map { ExactText($0.namespace) })
    }

    /// What fetches the document of a URL and a user.
    /// - Throws: If `options.source` would give one user's document to another.
    static func source(
        of remote: RemoteConfiguration, at url: EndpointURL, for user: String?, _ options: SetupOptions,
        _ transport: any HTTPTransport
    ) throws(ConfigurationError) -> any ConfigurationSource {
        if let makeSource = options.makeSource { return makeSource(url.text, user) }
        if let source = options.source {
            guard !remote.namesUser else {
                throw ConfigurationError(
                    .unusableURL, place: "options.source",
                    reason: "one source cannot fetch each user's document; makeSource makes one for each user")
            }
            return source
        }
        if url.scheme == "file" {
            return FileSource(
                path: URL(string: url.text)?.path ?? "", maxDocumentSize: remote.maxDocumentSize,
                isWatched: remote.pollInterval != nil)
        }
        var remote = remote
        remote.user = user
        return try HTTPSource(remote, transport: transport, time: options.time)
    }

    /// The files of users in the directories of a setup.
    static func userFiles(_ cache: any ConfigurationCache, stateDirectory: String?) -> UserFiles {
        let places = [
            (cache as? DiskCache).map { UserFiles.Place(directory: $0.directory) },
            stateDirectory.map { UserFiles.Place(directory: $0, prefix: VersionHistory.filePrefix) },
        ]
        return UserFiles(places.compactMap(\.self))
    }

    static func cache(
        _ options: SetupOptions, maxDocumentSize: Int, _ warnings: inout [ConfigurationError]
    ) -> any ConfigurationCache {
        if let cache = options.cache { return cache }
        if let directory = options.cacheDirectory ?? StandardDirectory.cache.path() {
            if let warning = StandardDirectory.warning(about: directory) {
                warnings.append(ConfigurationError(.warning, place: "cache", reason: warning))
            }
            return DiskCache(directory: directory, maxDocumentSize: maxDocumentSize)
        }
        let reason = "no directory is known; fetched documents are kept in memory only"
        warnings.append(ConfigurationError(.warning, place: "cache", reason: reason))
        return MemoryCache()
    }
}

extension SetupOptions {
    /// Checks that no directory is empty, because files in it would be made in the root directory, and that dead letters have
    /// a file.
    /// - Throws: A ``ConfigurationError`` with the option's name.
    func checkDirectories() throws(ConfigurationError) {
        if !storesEvents, deadLetters != .off {
            throw ConfigurationError(
                .outOfRange, place: "options.deadLetters",
                reason: "dead letters are kept in the file of events; storesEvents is false")
        }
        for (place, path) in [("stateDirectory", stateDirectory), ("cacheDirectory", cacheDirectory)] where path == "" {
            throw ConfigurationError(
                .outOfRange, place: "options.\(place)",
                reason: "expected a directory, found an empty string; nil is the standard directory")
        }
    }
}
