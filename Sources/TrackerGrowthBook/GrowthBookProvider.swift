public import TrackerFeatures

/// A provider of GrowthBook's features, from its API, its proxy or a CDN.
///
/// ```swift
/// var options = SetupOptions()
/// options.features.providers = [try GrowthBookProvider(source: "https://cdn.growthbook.io/api/features/sdk-abc")]
/// ```
///
/// A feature's value is its variable `value`, of which the members of an object are variables too, and a feature is
/// enabled if its value is truthy as in JavaScript:
///
/// ```swift
/// let context = FeatureContext(attributes: ["id": "u-1", "plan": "pro"])
/// let color = setup.features.value("button-color", variable: "value", default: "blue", for: context)
/// ```
///
/// The payload is fetched when the setup starts, and then at an interval or when the server sends an event. The last
/// good payload stays in effect while the server fails or serves a payload that cannot be read. The first failure of
/// each kind is logged. A rule that this version does not support matches no context, with a warning; keys that it does
/// not know are ignored, with one warning for all. Contextual bandits, experiments of the visual editor, URL redirects
/// and overrides in query strings are not supported.
public final class GrowthBookProvider: FeatureValueProvider {
    /// The provider's name in explanations and in the log.
    public var name: String { "growthbook" }

    private let follower: GrowthBookFollower

    /// Creates a provider. No request is made before the setup starts.
    /// - Parameters:
    ///   - source: The URL of the payload, such as `https://cdn.growthbook.io/api/features/sdk-abc`; `https` if the
    ///     scheme is missing.
    ///   - options: The options; all have default values.
    ///   - transport: The transport of the requests; a ``/TrackerConfig/CurlTransport`` of its own by default.
    /// - Throws: ``/TrackerConfig/ConfigurationError`` if the URL or a header cannot be used.
    public convenience init(
        source: String, options: GrowthBookOptions = GrowthBookOptions(), transport: (any HTTPTransport)? = nil
    ) throws(ConfigurationError) {
        try self.init(
            source: source, options: options, transport: transport, time: SystemTime(), random: SystemRandom())
    }

    package init(
        source: String, options: GrowthBookOptions = GrowthBookOptions(), transport: (any HTTPTransport)? = nil,
        time: any TimeSource, random: any RandomSource = SystemRandom()
    ) throws(ConfigurationError) {
        let source = try GrowthBookSource(source, options)
        let cacheFile = options.cacheFile.map { GrowthBookCacheFile(named: $0, source: source.url.text) }
        follower = GrowthBookFollower(
            source: source, options: options,
            store: GrowthBookStore(options: options, cacheFile: cacheFile, time: time),
            transport: transport ?? CurlTransport(threadName: "growthbook-http", maxConnections: 4), time: time,
            random: random)
    }

    /// The status of the payloads.
    public var status: GrowthBookStatus { follower.store.status }

    /// Returns the features of the last good payload, without waiting for the network. The first call reads the cache
    /// file.
    /// - Returns: The features, and the warnings and failures since the last call.
    public func load() -> ProvidedFeatures {
        follower.store.readCache()
        return follower.store.take()
    }

    /// A stream with an element after each change of the features and each failure to log. The payload is fetched until
    /// the sequence ends, so only one reader may read it.
    public var changes: AsyncStream<Void> {
        // The first request needs the validators of the payload in the cache file.
        follower.store.readCache()
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            var follower = follower
            follower.notify = { continuation.yield() }
            let task = Task.unbound { [follower] in
                await follower.run()
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
