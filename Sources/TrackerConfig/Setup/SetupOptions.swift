/// The options of a setup. All have defaults for a service on Linux.
public struct SetupOptions: Sendable {
    /// The directory of fetched documents; nil for `$CACHE_DIRECTORY`, `$XDG_CACHE_HOME/tracker-config` or
    /// `~/.cache/tracker-config`, the first that is set. An empty string is an error.
    public var cacheDirectory: String?

    /// The service's own directory for unsent events and other state that must survive its processes, on a local file
    /// system. nil for a directory with the name ``serviceName`` below the first of these that is set:
    /// `$STATE_DIRECTORY`, `$XDG_STATE_HOME/tracker-config`, `~/.local/state/tracker-config`. An empty string is an
    /// error.
    public var stateDirectory: String?

    /// Whether a directory of the environment or the home directory takes the place of a ``stateDirectory`` that is nil; true by
    /// default. Otherwise all that it would have stays in memory, for tests.
    package var usesStandardStateDirectory = true

    /// Whether unsent events and the trackers' sessions are stored in ``stateDirectory``, where they survive the process; built in:
    /// true. If not, they are kept in memory, without a warning. It concerns events only: the instance's id, the records of
    /// versions and sticky assignments are in ``stateDirectory`` in any case.
    public var storesEvents = true

    /// The most bytes of unsent events of all trackers in memory; above half of it events are moved to the disk. 1,000,000 …
    /// 1,099,511,627,776 (1 TiB), clamped; built in: 268,435,456 (256 MiB). Beyond it, as without ``storesEvents`` and while no
    /// directory can be used or its disk takes no events, the oldest events of the namespace that has most bytes in memory are
    /// dropped as ``DropReason/storeFull``, except those that are being sent.
    public var maxMemoryEventBytes = 268_435_456

    /// Whether events that are never sent are kept; built in: ``DeadLetters/off``. It needs a file, so it is an error
    /// without ``storesEvents``.
    public var deadLetters = DeadLetters.off

    /// The name of the service. Processes with the same name share a directory and take over each other's unsent
    /// events; processes with other names never touch them. nil for the executable's name.
    public var serviceName: String?

    /// The cache of fetched documents, which replaces ``cacheDirectory``; nil by default.
    public var cache: (any ConfigurationCache)?

    /// The source of documents, which replaces the one of the URL's scheme; the URL then only names them in the cache.
    public var source: (any ConfigurationSource)?

    /// The transport of all requests, for documents and for events; nil by default: two of ``CurlTransport``, one for
    /// the configuration and one for the trackers, so that neither waits for the other.
    public var transport: (any HTTPTransport)?

    /// Providers, overrides and decryption of ``Setup/features``.
    public var features = FeatureOptions()

    /// The sink of the SDK's log; nil for no log.
    public var log: (any LogSink)?

    /// The least severity of logged lines about the setup, the event store, or a failure to deliver events; built in:
    /// ``LogLevel/info``. Details of one tracker's work follow its own ``TrackerConfiguration/logLevel``.
    public var logLevel = LogLevel.info

    /// Called at the end of every fetch, after its update, on the updates' serial executor.
    public var onOutcome: (@Sendable (ConfigurationOutcome) -> Void)?

    /// The instance's id, by which rollouts select it, such as a pod's name; nil for an id that is kept in the state
    /// directory.
    public var instanceID: String?

    /// The conditions under which a version is held back because processes end soon after they applied it; nil turns the guard
    /// off.
    public var crashGuard: CrashGuard? = CrashGuard()

    /// The exposures that experiments record, and the place of sticky assignments.
    public var experiments = ExperimentOptions()

    /// The clock.
    package var time: any TimeSource = SystemTime()

    /// The source of ids and jitter.
    package var random: any RandomSource = SystemRandom()

    /// Creates options with the default values.
    public init() {}
}
