public import TrackerFeatures

/// The options of a setup. All have defaults for a service on Linux.
public struct SetupOptions: Sendable {
    /// The directory of fetched documents; nil for the first that is set of `$CACHE_DIRECTORY`,
    /// `$XDG_CACHE_HOME/tracker-config` and `~/.cache/tracker-config`. An empty string is an error.
    public var cacheDirectory: String?

    /// The service's own directory for unsent events and other state that must survive its processes, on a local file
    /// system. nil for a directory named ``serviceName`` in the first that is set of `$STATE_DIRECTORY`,
    /// `$XDG_STATE_HOME/tracker-config` and `~/.local/state/tracker-config`. An empty string is an error.
    public var stateDirectory: String?

    /// Whether a directory of the environment or the home directory is used if ``stateDirectory`` is nil; true by
    /// default. Otherwise the state stays in memory, for tests.
    package var usesStandardStateDirectory = true

    /// Whether unsent events and the trackers' sessions are stored in ``stateDirectory``, where they survive the
    /// process; built in: true. Otherwise they are kept in memory, without a warning. The instance's id, the records of
    /// versions and sticky assignments are in ``stateDirectory`` in any case.
    public var storesEvents = true

    /// The maximum size of unsent events of all trackers in memory, in bytes. 1,000,000 … 1,099,511,627,776 (1 TiB),
    /// clamped; built in: 268,435,456 (256 MiB). Beyond the limit, for example if ``storesEvents`` is false, no directory is usable or the disk is full, the oldest events of the
    /// namespace with the most bytes in memory are dropped as ``DropReason/storeFull``, except those that are being
    /// sent.
    public var maxMemoryEventBytes = 268_435_456

    /// Whether events that are never sent are kept; built in: ``DeadLetters/off``. It needs a file, so it is an error
    /// without ``storesEvents``.
    public var deadLetters = DeadLetters.off

    /// The name of the service. Processes with the same name share a directory and take over each other's unsent
    /// events; processes with other names never touch them. nil for the executable's name.
    public var serviceName: String?

    /// The cache of fetched documents, which replaces ``cacheDirectory``; nil by default.
    public var cache: (any ConfigurationCache)?

    /// The source of documents, which replaces the source for the URL's scheme; then the URL only names the documents
    /// in the cache.
    public var source: (any ConfigurationSource)?

    /// The transport of all requests, for documents and for events; nil by default, for two of ``CurlTransport``: one
    /// for the configuration and one for the trackers, so that neither waits for the other.
    public var transport: (any HTTPTransport)?

    /// Providers, overrides and decryption of ``Setup/features``.
    public var features = FeatureOptions()

    /// The sink of the SDK's log; nil for no log.
    public var log: (any LogSink)?

    /// The minimum severity of logged lines about the setup, the event store, or a failure to deliver events; built in:
    /// ``LogLevel/info``. The details of a tracker follow its own ``TrackerConfiguration/logLevel``.
    public var logLevel = LogLevel.info

    /// Called at the end of every fetch, after its update, on the updates' serial executor.
    public var onOutcome: (@Sendable (ConfigurationOutcome) -> Void)?

    /// The instance's id, by which rollouts select it, such as a pod's name; nil for an id that is stored in the state
    /// directory.
    public var instanceID: String?

    /// The conditions under which a version is held back because processes crash soon after they applied it; nil
    /// disables the guard.
    public var crashGuard: CrashGuard? = CrashGuard()

    /// The namespaces of exposures, and the store of sticky assignments.
    public var experiments = ExperimentOptions()

    /// The clock.
    package var time: any TimeSource = SystemTime()

    /// The source of ids and jitter.
    package var random: any RandomSource = SystemRandom()

    /// Creates options with the default values.
    public init() {}
}
