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
    }

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

/// A failure of the event store. Until it ends, events are kept in memory.
package struct EventStoreFailure: Sendable, Equatable, Encodable {
    /// The time when it began.
    package var since: Date

    /// The reason, as a sentence in lower case and without a full stop.
    package var text: String
}

/// A mismatch between code and the configuration in use, such as the tracker of an unknown namespace. Issues are counted
/// since that configuration was applied. The first issue of each name is a warning in the log.
package struct CodeIssue: Sendable, Equatable, Encodable {
    package enum Kind: String, Sendable, Hashable, Encodable, CaseIterable {
        /// A namespace has no tracker, so its events are not tracked.
        case untracked
        /// No source has a feature, a variable, an experiment or a variant.
        case unknownName
        /// A value of the document has another type than code expects, or cannot be decrypted.
        case unreadable
        /// The schema of an event or an entity is not an Iglu URI. These issues stay until the process ends.
        case malformedSchema
    }

    package var kind: Kind
    /// The issue as a sentence without a full stop and without the count.
    package var text: String
    package var count: Int
}
