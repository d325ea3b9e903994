public import TrackerCore

/// A service's trackers, configured by one remote document.
///
/// A setup starts immediately from the cached document or the default, fetches the remote document in the background,
/// and applies each newer version to its trackers, either completely or not at all. Settings that code changes at run
/// time are kept.
///
/// ```swift
/// let setup = try Setup(
///     remote: RemoteConfiguration(endpoint: "https://config.example.com/trackers.json"),
///     default: [
///         ConfigurationBundle(
///             namespace: "checkout", network: NetworkConfiguration(endpoint: "https://collector.example.com"))
///     ],
///     version: 1
/// ) { update in
///     print(update.namespaces, update.state)
/// }
/// setup.tracker("checkout")?.track(Structured(category: "cart", action: "add"))
/// await setup.shutdown(timeout: .seconds(5))
/// ```
///
/// A process can have several setups. Create them after `fork`: a child that is forked without `exec` cannot use the
/// setups of its parent.
public final class Setup: Sendable {
    /// The features of the document in use and of all other sources.
    public let features: Features

    /// The experiments of the document in use.
    public let experiments: Experiments

    package let registry: TrackerRegistry
    package let updater: ConfigurationUpdater
    package let pipeline: SetupPipeline
    package let feed: LiveFeed
    /// The identity of the process when the setup was created.
    package let identity: ProcessIdentity
    /// The reason why events are kept in memory although ``SetupOptions/storesEvents`` is true; nil if they are stored.
    let missingStore: EventStoreFailure?

    /// Starts from the cached document or the default, and fetches the remote one in the background.
    ///
    /// It waits for the local disk, or your own ``SetupOptions/cache``, and never for the network.
    /// - Parameters:
    ///   - remote: The URL of the document and how to fetch it.
    ///   - bundles: The default configuration. It applies until a document is applied, and afterwards to all settings
    ///     that the document does not set. A bundle without an endpoint has no tracker until a document sets its
    ///     endpoint.
    ///   - version: The default's version; only documents with a higher version are applied. nil is lower than all
    ///     versions.
    ///   - options: Directories, log, transport and clock.
    ///   - onSuccess: Called for each applied configuration: the first time on this thread, before this initializer
    ///     returns; later on the setup's own serial executor, one call at a time and outside all locks.
    /// - Throws: ``ConfigurationError`` for programmer errors: an unusable URL, a user id that the URL cannot contain,
    ///   an empty directory, or two default bundles with the same namespace.
    public convenience init(
        remote: RemoteConfiguration,
        default bundles: [ConfigurationBundle] = [],
        version: Int? = nil,
        options: SetupOptions = SetupOptions(),
        onSuccess: @escaping @Sendable (ConfigurationUpdate) -> Void = { _ in }
    ) throws(ConfigurationError) {
        let defaults = DefaultConfiguration(bundles: bundles)
        try self.init(remote, defaults, version: version, options, onSuccess: onSuccess)
    }

    /// Starts from the cached document or the default document, and fetches the remote document in the background.
    ///
    /// It waits for the local disk and never for the network.
    /// - Parameters:
    ///   - remote: The URL of the document and how to fetch it.
    ///   - document: The default document. Its bundles, features and meta apply until a document is applied, and
    ///     afterwards to everything that the document does not set. Its experiments apply until a document replaces
    ///     them. Read it with ``Document/init(default:)``.
    ///   - version: The default's version; only documents with a higher version are applied. nil, the default, uses the
    ///     default document's ``Document/version``.
    ///   - options: Directories, log, transport and clock.
    ///   - onSuccess: Called for each applied configuration, as in the other initializer.
    /// - Throws: ``ConfigurationError`` for programmer errors: an unusable URL, or an unusable default.
    public convenience init(
        remote: RemoteConfiguration,
        default document: Document,
        version: Int? = nil,
        options: SetupOptions = SetupOptions(),
        onSuccess: @escaping @Sendable (ConfigurationUpdate) -> Void = { _ in }
    ) throws(ConfigurationError) {
        try self.init(
            remote, DefaultConfiguration(document), version: version ?? document.version, options, onSuccess: onSuccess)
    }

    /// Starts from the cached document or the default. If the default's version is nil, it is lower than all others.
    package init(
        _ remote: RemoteConfiguration, _ `default`: DefaultConfiguration, version: Int?, _ options: SetupOptions,
        onSuccess: @escaping @Sendable (ConfigurationUpdate) -> Void
    ) throws(ConfigurationError) {
        try options.checkDirectories()
        let log = Log(options.log, level: options.logLevel)
        try HTTPHeader.check(remote.headers, place: "remote.headers")
        var (bundles, warnings) = try DefaultBundles.check(`default`.bundles)
        let collectors = try CollectorPolicy(remote, default: bundles)
        // A separate transport, so that fetches and events never wait for each other's connections.
        let fetchTransport =
            options.transport ?? CurlTransport(threadName: "tracker-fetch", maxConnections: 8)
        var missing: [ConfigurationError] = []
        let updateWarnings = UpdateWarnings(log: log)
        let cache = Self.cache(options, maxDocumentSize: remote.maxDocumentSize, updateWarnings, &missing)
        let state = try StateLocation(options)
        identity = Self.identity(options, state)
        var missingStore: EventStoreFailure?
        if state.path == nil, options.storesEvents {
            let reason = "no directory is known; unsent events are kept in memory only"
            missing.append(ConfigurationError(.warning, place: "event store", reason: reason))
            missingStore = EventStoreFailure(since: options.time.now, text: reason)
        }
        self.missingStore = missingStore
        let url = try remote.url
        let source = try Self.source(of: remote, at: url, options, fetchTransport)
        let name = try remote.documentName(at: url)
        let marks = remote.namesUser ? Self.marks(of: name, cache, stateDirectory: state.path, updateWarnings) : []
        let versions = VersionHistory(
            directory: state.path, url: name, crashGuard: options.crashGuard, instanceID: options.instanceID,
            random: options.random, time: options.time, marks: marks)
        let documents = CachedDocuments(
            remote, cache: cache, default: `default`, version: version, collectors: collectors, versions: versions,
            startTime: options.time.wallTime)
        let start = documents.fallback()
        // The default's warnings matter even if a document is in use, because the default supplies its unset values.
        if start.configuration?.state != .default { warnings += `default`.warnings }
        let directory = options.storesEvents ? state.path.map { StateDirectory(path: $0, service: state.service) } : nil
        pipeline = SetupPipeline(time: options.time) { tap in
            let transport = options.transport ?? CurlTransport(threadName: "tracker-http")
            return EventPipeline(
                directory: directory, deadLetters: options.deadLetters,
                maxMemoryEventBytes: options.maxMemoryEventBytes, transport: transport, tap: tap, log: log,
                time: options.time, random: options.random)
        }
        registry = TrackerRegistry(defaults: bundles, trusted: collectors.trusted, pipeline: pipeline)
        feed = LiveFeed(tap: pipeline.tap, time: options.time)
        features = Self.features(
            options, default: `default`, registry, stateDirectory: state.path, log: log)
        experiments = features.experiments
        if let fault = remote.certificateFile.flatMap(CertificateFile.fault) {
            missing.append(ConfigurationError(.warning, place: "remote.certificateFile", reason: fault))
        }
        warnings += missing
        features.follow()
        features.load { warnings.append($0) }

        updateWarnings.note(warnings + versions.takeWarnings() + start.warnings)
        let parts = ConfigurationHost.Parts(
            remote: remote, source: source, documents: documents, versions: versions, registry: registry,
            collectors: collectors, features: features, broadcast: EventBroadcast(), warnings: updateWarnings,
            time: options.time, random: options.random, log: log, onSuccess: onSuccess,
            onOutcome: options.onOutcome ?? { _ in })
        var lifecycle = ConfigurationLifecycle(
            ConfigurationLifecycle.Settings(
                defaultVersion: version, startupWindow: versions.window, pollInterval: remote.pollInterval,
                startTime: options.time.wallTime))
        let host = ConfigurationHost(parts, lifecycle)
        // The service's closure must not see the context of the request that creates the setup.
        try withTrackingContext(nil) { () throws(ConfigurationError) in
            try lifecycle.begin(with: start.configuration, held: start.held, host)
            host.conclude(lifecycle)
        }
        let updater = ConfigurationUpdater(host, lifecycle)
        self.updater = updater
        Task.unbound { await updater.start() }
    }

    deinit {
        features.stop()
        updater.stop()
        updater.parts.versions.watch?.end(.idle)
    }

    /// The default tracker: the first that was created, unless another one was set; nil if it was removed.
    public var defaultTracker: Tracker? {
        get { registry.defaultTracker }
        set { registry.defaultTracker = newValue }
    }

    /// The namespaces that have a tracker, sorted.
    public var namespaces: [String] { registry.namespaces.sorted().map(\.text) }

    /// The numbers of unsent events of this service that wait for a process with their namespaces, by namespace. This
    /// process has none of these namespaces. Updated every 30 s; empty before the first tracker.
    public var unclaimedEvents: [String: Int] { pipeline.current?.unclaimedEvents ?? [:] }

    /// The number of events of this process that could not be written to a file and were stored in memory only, where a
    /// kill would have lost them. 0 before the first tracker and without a state directory.
    public var memoryOnlyEvents: Int { pipeline.current?.memoryOnlyEvents ?? 0 }

    /// The `meta` of the document in use, for the service itself.
    public var meta: JSONObject {
        updater.status.lifecycle.active?.meta ?? JSONObject()
    }

    /// The effective configuration in the form of a document: the bundles with all their settings, including settings
    /// of code but not secrets, and the meta.
    public var effectiveConfiguration: JSONObject {
        let active = updater.status.lifecycle.active
        let bundles = registry.trackers.sorted { $0.key < $1.key }.map { JSONValue.object($0.value.effectiveBundle) }
        var document: JSONObject = [
            "$schema": "http://iglucentral.com/schemas/com.snowplowanalytics.mobile/remote_config/jsonschema/1-0-1",
            "configurationVersion": active?.version.map(JSONValue.int) ?? .null,
            "configurationBundle": .array(bundles),
        ]
        if let meta = active?.meta, !meta.isEmpty { document["meta"] = .object(meta) }
        return document
    }

    /// The future updates and outcomes in order, after the latest update. If the reader falls behind, the newest 1,000
    /// are kept.
    public var events: AsyncStream<SetupEvent> { updater.parts.broadcast.events() }

    /// Fetches the document and applies it if its version is higher. If a fetch is in progress, the call joins it.
    /// - Returns: The outcome, returned after the update of the fetch.
    @discardableResult
    public func refresh() async -> ConfigurationOutcome {
        await withTrackingContext(nil) { await updater.refresh() }
    }

    /// Fetches the document in the background, or joins a fetch in progress. Later calls of the setup take effect after
    /// it.
    /// - Parameter onSuccess: Called after the setup's own closure if the fetch applied a document.
    public func refresh(onSuccess: @escaping @Sendable (ConfigurationUpdate) -> Void) {
        _ = withTrackingContext(nil) { Task.immediate { [updater] in await updater.refresh(onSuccess) } }
    }

    /// Confirms that the service works with the version in use, so that a later crash does not count against it; see
    /// ``CrashGuard``. Call it if the service knows this before ``CrashGuard/window`` is over.
    public func confirmHealthy() {
        guard let version = updater.parts.versions.watch?.end(.survived) else { return }
        Task.unbound { [updater] in await updater.confirmed(version) }
    }

    /// Shuts a tracker down; its unsent events stay in the store, and a later document may restore the namespace.
    /// - Parameter namespace: The namespace.
    /// - Returns: Whether the namespace had a tracker.
    @discardableResult
    public func removeTracker(_ namespace: String) -> Bool {
        registry.remove(namespace)
    }

    /// Shuts all trackers down.
    public func removeAllTrackers() {
        for namespace in registry.namespaces { registry.remove(namespace.text) }
    }

    /// Drops the unsent events of all namespaces except the given ones.
    /// - Parameter namespaces: The namespaces whose events stay.
    /// - Returns: The number of dropped events.
    @discardableResult
    public func removeUnsentEvents(exceptNamespaces namespaces: Set<String>) async -> Int {
        await pipeline.current?.removeUnsentEvents(exceptNamespaces: namespaces) ?? 0
    }

    /// Stops fetching and tracking, sends the stored events within the timeout, and closes the store.
    ///
    /// Events that could not be sent stay in the store for the next process. It always returns within the timeout plus
    /// half a second.
    /// - Parameter timeout: The time for sending events; zero sends nothing.
    /// - Returns: The numbers of the events of all trackers by outcome.
    @discardableResult
    public func shutdown(timeout: Duration = .seconds(5)) async -> TrackerCounters {
        updater.stop()
        features.stop()
        // Before the events are sent: if the process is killed meanwhile, the operator did it.
        updater.parts.versions.watch?.end(.shutDown)
        async let isFlushed = experiments.flush(timeout: max(timeout, .milliseconds(100)))
        let report = await pipeline.shutdown(timeout: timeout)
        _ = await isFlushed
        return report
    }
}
