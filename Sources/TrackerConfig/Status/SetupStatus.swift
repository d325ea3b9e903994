public import FoundationEssentials

/// The state of a setup at one moment: the document in use, the delivery of events, and failures and rollbacks with
/// their reasons.
///
/// ```swift
/// let status = setup.status
/// for line in status.lines { print(line.level, line.text) }
/// ```
///
/// It contains no secrets: URLs have no user, password and values of the query.
public struct SetupStatus: Sendable, Equatable, Encodable {
    /// The time when the status was read.
    public package(set) var time: Date

    /// The process.
    package var process: ProcessIdentity

    /// The document in use.
    public package(set) var document = DocumentStatus()

    /// The rollout of the document in use, or of the held document; nil if neither has one.
    package var rollout: RolloutStatus?

    /// The outcomes of documents and fetches, and the changes of overrides, the newest first; at most 50 of each.
    /// Repetitions are merged into one change.
    package var changes: [ConfigurationChange] = []

    /// The outcome of the document that the source serves, such as `rejected`, `held` or `stale`; nil if it is in use.
    package var pending: ConfigurationChange?

    /// The versions that are held back because their processes crashed, and that can be released.
    package var heldVersions: [Int] = []

    /// The series of failed fetches, with the reason for the last failure; nil if the last fetch did not fail.
    package var outage: ConfigurationChange?

    /// The stream of the document's source; nil if the source has none.
    package var streaming: StreamStatus?

    /// Whether a fetch is in progress.
    public package(set) var isFetching = false

    /// The end of the last fetch; nil before the first.
    public package(set) var lastFetchTime: Date?

    /// The time of the next fetch; nil if the setup does not poll.
    public package(set) var nextFetchTime: Date?

    /// The time between two polls in seconds; nil if the setup does not poll.
    package var pollIntervalSeconds: Double?

    /// The number of fetches since the start, by ``ConfigurationOutcome/kind``.
    public package(set) var fetches: [NamedCode<ConfigurationOutcome>: Int] = [:]

    /// The trackers, sorted by namespace.
    public package(set) var trackers: [TrackerStatus] = []

    /// The reason why events are kept in memory although there is a state directory; nil while the event store works.
    package var eventStoreFailure: EventStoreFailure?

    /// The events of namespaces without a tracker, which wait for another process; nil if there are none.
    package var unclaimed: Unclaimed?

    /// The overrides in effect, sorted by feature, variable and experiment.
    public package(set) var overrides: [FeatureOverride] = []

    /// The number of look-ups of trackers, and of events in ``Setup/track(_:to:entities:subject:trueTimestamp:)``,
    /// whose namespace had no tracker, since the start.
    public package(set) var untracked = 0

    /// The mismatches between code and the configuration, by kind and then the most frequent first; at most 100 of each
    /// kind, and 100 malformed schemas of each tracker.
    package var issues: [CodeIssue] = []

    /// Whether the setup was shut down.
    public package(set) var isStopped = false

    /// The state in sentences, the most severe first: by level, and within a level by harm. Lost events come before
    /// events that may soon be lost, then waiting events, a rollback, a document that is not used, and the rest.
    ///
    /// A line is a `problem` if events or a configuration are lost or delayed, a `warning` if that may happen, `news`
    /// if the operator should know it, such as a canary or an override, and `normal` otherwise.
    public internal(set) var lines: [StatusLine] = []

    /// Whether the service can work: a document or the default is in use, and the setup is running.
    public internal(set) var isHealthy = false

    /// The namespaces of the failing trackers, sorted.
    public internal(set) var failing: [String] = []

    /// The events of namespaces without a tracker.
    package struct Unclaimed: Sendable, Equatable, Encodable {
        var count: Int
        /// The time of the oldest event.
        var oldest: Date
        var namespaces: [String]

        package init(count: Int, oldest: Date, namespaces: [String]) {
            (self.count, self.oldest, self.namespaces) = (count, oldest, namespaces)
        }
    }

    package init(time: Date, process: ProcessIdentity) {
        (self.time, self.process) = (time, process)
    }
}

extension SetupStatus {
    /// The time between two polls; nil if the setup does not poll.
    public var pollInterval: Duration? {
        pollIntervalSeconds.map { .seconds($0) }
    }

    /// Returns the last change of a kind.
    /// - Parameter kind: The kind.
    /// - Returns: The change; nil if there was none since the start.
    package func last(_ kind: NamedCode<ConfigurationOutcome>) -> ConfigurationChange? {
        changes.first { $0.kind == kind }
    }
}
