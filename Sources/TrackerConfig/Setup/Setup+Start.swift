extension Setup {
    static func features(
        _ options: SetupOptions, default: DefaultConfiguration, _ registry: TrackerRegistry, url: String,
        stateDirectory: String?, log: Log
    ) -> (Features, Experiments) {
        let store = FeatureStore(options.features, default: `default`)
        var hash = StableHash()
        hash.combine(url.utf8)
        let experiments = Experiments(
            Experiments.Parts(
                table: { store.read(\.experiments) }, forced: { id in store.read { $0.forced(id) } },
                tracker: { registry.tracker($0) }, options: options.experiments,
                storePath: stateDirectory.map { "\($0)/assignments-\(hash.hex).sqlite" }, log: log, time: options.time))
        return (Features(options.features, store: store, experiments: experiments, log: log), experiments)
    }

    /// The namespaces that a setup starts with: those of the start configuration and of the default.
    static func namespaces(
        _ configuration: ActiveConfiguration?, _ bundles: [ConfigurationBundle]
    ) -> Set<ExactText> {
        Set(((configuration?.document?.bundles ?? []) + bundles).map { ExactText($0.namespace) })
    }

    static func cache(
        _ options: SetupOptions, maximumSize: Int, _ warnings: inout [ConfigurationWarning]
    ) -> any ConfigurationCache {
        if let cache = options.cache { return cache }
        if let directory = options.cacheDirectory ?? StandardDirectory.cache.path() {
            if let warning = StandardDirectory.warning(about: directory) {
                warnings.append(ConfigurationWarning(place: "cache", reason: warning))
            }
            return DiskCache(directory: directory, maximumSize: maximumSize)
        }
        let reason = "no directory is known; fetched documents are kept in memory only"
        warnings.append(ConfigurationWarning(place: "cache", reason: reason))
        return MemoryCache()
    }
}

extension SetupOptions {
    /// Checks that no directory is empty: files in it would be made in the root directory.
    /// - Throws: A ``ConfigurationError`` with the option's name.
    func checkDirectories() throws(ConfigurationError) {
        for (place, path) in [("stateDirectory", stateDirectory), ("cacheDirectory", cacheDirectory)] where path == "" {
            throw ConfigurationError(
                .outOfRange, place: "options.\(place)",
                reason: "expected a directory, found an empty string; nil is the standard directory")
        }
    }
}
