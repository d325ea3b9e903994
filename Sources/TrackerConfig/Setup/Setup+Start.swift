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
    ) -> Set<String> {
        Set((configuration?.document?.bundles ?? []).map(\.namespace) + bundles.map(\.namespace))
    }

    static func cache(_ options: SetupOptions, _ warnings: inout [ConfigurationWarning]) -> any ConfigurationCache {
        if let cache = options.cache { return cache }
        if let directory = options.cacheDirectory ?? StandardDirectory.cache.path() {
            return DiskCache(directory: directory)
        }
        let reason = "no directory is known; fetched documents are kept in memory only"
        warnings.append(ConfigurationWarning(place: "cache", reason: reason))
        return MemoryCache()
    }
}
