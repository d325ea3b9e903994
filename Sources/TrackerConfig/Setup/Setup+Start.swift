import Foundation

extension Setup {
    /// The configuration that a setup starts with.
    struct StartConfiguration {
        let active: ConfigurationCycle.Active
        /// nil for the default.
        let document: Document?
    }

    static func source(
        for url: EndpointURL, _ remote: RemoteConfiguration, _ options: SetupOptions, _ transport: any HTTPTransport
    ) throws(ConfigurationError) -> any ConfigurationSource {
        if let source = options.source { return source }
        if url.scheme == "file" {
            return FileSource(path: URL(string: url.text)?.path ?? "", maximumSize: remote.maximumSize)
        }
        return try HTTPSource(remote, transport: transport, time: options.time)
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

    /// Chooses between the cached document and the default.
    static func start(
        _ url: String, _ cache: any ConfigurationCache, hasDefault: Bool, defaultVersion: Int?
    ) -> (configuration: StartConfiguration?, warnings: [ConfigurationWarning]) {
        var document: Document?
        let (entry, sentences) = cache.entry(for: url) { entry in
            do throws(ConfigurationError) {
                document = try Document(entry.document)
                return nil
            } catch {
                return error.description
            }
        }
        let warnings = sentences.map { ConfigurationWarning(place: "cache", reason: $0) }
        if let document, let entry, Adoption.startsCached(document.version, defaultVersion: defaultVersion) {
            let active = ConfigurationCycle.Active(
                state: .cached, version: document.version, digest: document.digest, meta: document.meta,
                validators: entry.validators)
            return (StartConfiguration(active: active, document: document), warnings)
        }
        guard hasDefault else { return (nil, warnings) }
        let active = ConfigurationCycle.Active(
            state: .default, version: defaultVersion, digest: nil, meta: JSONObject(), validators: nil)
        return (StartConfiguration(active: active, document: nil), warnings)
    }
}
