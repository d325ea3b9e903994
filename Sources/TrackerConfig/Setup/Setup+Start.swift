import Foundation

extension Setup {
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
}
