import FoundationEssentials
import TrackerFeatures

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
            // One file for the service, because the URL of its document may change.
            parts.storePath = stateDirectory.map { "\($0)/assignments.sqlite" }
            parts.time = options.time
        }
    }

    /// What fetches the document of a URL.
    static func source(
        of remote: RemoteConfiguration, at url: EndpointURL, _ options: SetupOptions, _ transport: any HTTPTransport
    ) throws(ConfigurationError) -> any ConfigurationSource {
        if let source = options.source { return source }
        if url.scheme == "file" {
            return FileSource(
                path: URL(string: url.text)?.path ?? "", maxDocumentSize: remote.maxDocumentSize,
                isWatched: remote.pollInterval != nil)
        }
        return try HTTPSource(remote, transport: transport, time: options.time)
    }

    /// Locks the marks of a user's files in the directories of a setup. If there are too many users, files of others
    /// are removed in the background.
    static func marks(
        of name: String, _ cache: any ConfigurationCache, stateDirectory: String?, _ warnings: UpdateWarnings
    ) -> [FileLock] {
        let directories = [
            (cache as? DiskCache).map { UserFiles.Directory($0.directory) },
            stateDirectory.map { UserFiles.Directory($0, prefix: VersionHistory.filePrefix) },
        ]
        let files = UserFiles(directories.compactMap(\.self))
        let (marks, isNew) = files.use(name)
        if isNew { Task.detached(priority: .utility) { warnings.note(files.removeSurplus(), .warning) } }
        return marks
    }

    static func cache(
        _ options: SetupOptions, maxDocumentSize: Int, _ updateWarnings: UpdateWarnings,
        _ warnings: inout [ConfigurationError]
    ) -> any ConfigurationCache {
        if let cache = options.cache { return cache }
        if let directory = options.cacheDirectory ?? StandardDirectory.cache.path() {
            if let warning = StandardDirectory.warning(about: directory) {
                warnings.append(ConfigurationError(.warning, place: "cache", reason: warning))
            }
            return DiskCache(directory: directory, maxDocumentSize: maxDocumentSize) { reason in
                updateWarnings.note([ConfigurationError(.warning, place: "cache", reason: reason)])
            }
        }
        let reason = "no directory is known; fetched documents are kept in memory only"
        warnings.append(ConfigurationError(.warning, place: "cache", reason: reason))
        return MemoryCache()
    }
}

extension SetupOptions {
    /// Checks that no directory is an empty string, because its files would be created in the root directory, and that
    /// dead letters have a file.
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
