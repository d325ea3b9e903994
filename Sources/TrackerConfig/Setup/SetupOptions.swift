/// What a setup works with; everything has a default that suits a service on Linux.
public struct SetupOptions: Sendable {
    /// Where fetched documents are kept; nil for `$CACHE_DIRECTORY`, `$XDG_CACHE_HOME/tracker-config` or
    /// `~/.cache/tracker-config`, the first that there is. An empty string is an error.
    public var cacheDirectory: String?

    /// The service's own directory for unsent events and what else must outlive its processes, on a local file system. nil
    /// for a directory of the name ``serviceName`` below the first of these that there is: `$STATE_DIRECTORY`,
    /// `$XDG_STATE_HOME/tracker-config`, `~/.local/state/tracker-config`. An empty string is an error.
    public var stateDirectory: String?

    /// Whether a directory of the environment or the home directory takes the place of a ``stateDirectory`` that is nil; true by
    /// default. Otherwise all that it would have stays in memory, for tests.
    package var usesStandardStateDirectory = true

    /// Where unsent events and the trackers' sessions are kept; built in: ``EventStoreLocation/directory``. It is about
    /// events alone: with ``EventStoreLocation/memory`` too, the instance's id, the records of versions and sticky assignments
    /// are kept in ``stateDirectory``.
    public var eventStore = EventStoreLocation.directory

    /// What is kept of events that are never sent; built in: ``DeadLetters/off``. It needs a file, so it is an error with
    /// ``EventStoreLocation/memory``.
    public var deadLetters = DeadLetters.off

    /// The name of the service. Processes with one name share a directory and take over each other's unsent events;
    /// those of other names never touch them. nil for the executable's name.
    public var serviceName: String?

    /// Stores fetched documents in place of ``cacheDirectory``; nil by default.
    public var cache: (any ConfigurationCache)?

    /// How long the first fetch and a switch of users wait for a ``cache`` of your own, from 1 ms to 1 day; 1 s by default. A
    /// document that comes later is applied if no other one was applied meanwhile. Without effect on the built-in caches.
    public var cacheTimeout = Duration.seconds(1)

    /// Fetches documents in place of what the URL's scheme asks for; the URL then only names them in the cache. Where the
    /// URL names the user, ``makeSource`` is asked for.
    public var source: (any ConfigurationSource)?

    /// Makes what fetches a user's document, in place of ``source``: gets the document's URL and the user, nil if there is none.
    /// It is called at the start and at each switch to another user.
    public var makeSource: (@Sendable (_ url: String, _ user: String?) -> any ConfigurationSource)?

    /// The transport of all requests, of the configuration's and of the trackers'; nil by default: two of
    /// ``CurlTransport``, one for the configuration and one for the trackers, so that neither waits for the other.
    public var transport: (any HTTPTransport)?

    /// The most connections of the trackers to their collectors, idle ones included, 1 … 65,535; 64 by default. Without
    /// effect if ``transport`` is set.
    public var maxConnections = 64

    /// The most requests under way to one collector, 1 … 65,535; 6 by default. Further ones wait. Without effect if
    /// ``transport`` is set.
    public var maxConnectionsPerHost = 6

    /// Providers, overrides and decryption of ``Setup/features``.
    public var features = FeatureOptions()

    /// Takes what the SDK has to say; nil for nothing.
    public var log: (any LogSink)?

    /// The severity up to which lines are logged that are about the setup, the event store, or a failure to deliver
    /// events; built in: ``LogLevel/info``. Details of one tracker's work follow its own
    /// ``TrackerConfiguration/logLevel``.
    public var logLevel = LogLevel.info

    /// Called at the end of every fetch, after its update, on the updates' serial executor.
    public var onOutcome: (@Sendable (ConfigurationOutcome) -> Void)?

    /// By what this instance is drawn for rollouts, as a pod's name; nil for an id that is kept in the state directory.
    public var instanceID: String?

    /// When a version is taken for one that kills its processes; nil never.
    public var crashGuard: CrashGuard? = CrashGuard()

    /// The namespace whose tracker emits events about the version that each instance runs: `configuration_applied`,
    /// `configuration_rejected` and `configuration_reverted`, with schemas in `Schemas/`; nil for no such events.
    public var fleetNamespace: String?

    /// What experiments record and where they store sticky assignments.
    public var experiments = ExperimentOptions()

    /// Whether SIGHUP fetches the document, in place of ending the process; for command-line programs. The signal stays
    /// ignored when the setup has gone. Built in: false.
    public var refreshesOnHangup = false

    /// The clock; another one is for tests.
    public var time: any TimeSource = SystemTime()

    /// The source of ids and jitter; another one is for tests.
    public var random: any RandomSource = SystemRandom()

    /// Creates options that are all built in.
    public init() {}
}
