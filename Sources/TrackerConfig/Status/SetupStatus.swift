public import FoundationEssentials

/// The state of a setup at one moment: what runs, since when, what is delivered, what failed or was rolled back, and why.
///
/// ```swift
/// let status = setup.status
/// for line in status.lines { print(line.level, line.text) }
/// ```
///
/// It holds no secret: URLs are without user, password and the values of their query.
public struct SetupStatus: Sendable, Equatable, Encodable {
    /// The time when the status was read.
    public var time: Date

    /// The process.
    public var process: ProcessIdentity

    /// The document in use.
    public var document = DocumentStatus()

    /// The rollout of the document in use, or of the one that is held back; nil if neither has one.
    public var rollout: RolloutStatus?

    /// The last version that was applied; nil if there was none since the start.
    public var lastApplied: ConfigurationChange?

    /// The last document that was rejected; nil if there was none since the start.
    public var lastRejected: ConfigurationChange?

    /// The last version that was reverted; nil if there was none since the start.
    public var lastReverted: ConfigurationChange?

    /// The last version that was held back; nil if there was none since the start.
    public var lastHeld: ConfigurationChange?

    /// The outcomes of documents and fetches, and the changes of overrides, the newest first; at most 50 of each. Repetitions are
    /// folded into one change.
    public var changes: [ConfigurationChange] = []

    /// The outcome of the document that the source serves, such as `rejected`, `held` or `stale`; nil if it is in use.
    public var pending: ConfigurationChange?

    /// The series of failed fetches; nil if the last fetch did not fail.
    package var fetchOutage: FetchOutage?

    /// The stream of the document's source; nil if the source has none.
    public var streaming: StreamStatus?

    /// Whether a fetch is in progress.
    public var isFetching = false

    /// The end of the last fetch; nil before the first.
    public var lastFetchTime: Date?

    /// The time of the next fetch; nil without polling.
    public var nextFetchTime: Date?

    /// The time between two polls in seconds; nil without polling.
    package var pollIntervalSeconds: Double?

    /// The number of fetches since the start, by ``ConfigurationOutcome/kind``.
    public var fetches: [NamedCode<ConfigurationOutcome>: Int] = [:]

    /// The trackers, sorted by namespace.
    public var trackers: [TrackerStatus] = []

    /// Why events are kept in memory although there is a state directory; nil while the event store works.
    package var eventStoreFailure: EventStoreFailure?

    /// Events of namespaces without a tracker, which wait for a process that has them.
    package var unclaimed: [ExactText: UnclaimedEvents] = [:]

    /// The overrides in effect, sorted by feature, variable and experiment.
    public var overrides: [FeatureOverride] = []

    /// The number of look-ups of trackers, and of events of ``Setup/track(_:to:entities:subject:trueTimestamp:)``, whose
    /// namespace had no tracker, since the start.
    public var untracked = 0

    /// What code asks for and does not get, by kind and then the most frequent first; at most 100 of each kind, and of
    /// malformed schemas 100 of each tracker.
    package var issues: [CodeIssue] = []

    /// Whether the setup was shut down.
    public var isStopped = false

    /// Creates a status that has only its time and process.
    /// - Parameters:
    ///   - time: The time when the status was read.
    ///   - process: The process.
    public init(time: Date, process: ProcessIdentity) {
        self.time = time
        self.process = process
    }

    // The lines are written and not read: they follow from the rest.
    private enum CodingKeys: String, CodingKey {
        case time, process, document, rollout, lastApplied, lastRejected, lastReverted, lastHeld, changes, pending
        case fetchOutage = "outage"
        case streaming, isFetching, lastFetchTime, nextFetchTime, pollIntervalSeconds, fetches, trackers, overrides
        case eventStoreFailure, untracked, issues, isStopped
    }

    private enum DerivedKeys: String, CodingKey {
        case isHealthy, failing, lines
    }

    /// Writes the status, with ``lines``, ``isHealthy`` and ``failing``.
    /// - Parameter encoder: The encoder.
    /// - Throws: The error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var derived = encoder.container(keyedBy: DerivedKeys.self)
        try derived.encode(isHealthy, forKey: .isHealthy)
        try derived.encode(failing, forKey: .failing)
        try derived.encode(lines, forKey: .lines)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(time, forKey: .time)
        try container.encode(process, forKey: .process)
        try container.encode(document, forKey: .document)
        try container.encodeIfPresent(rollout, forKey: .rollout)
        try container.encodeIfPresent(lastApplied, forKey: .lastApplied)
        try container.encodeIfPresent(lastRejected, forKey: .lastRejected)
        try container.encodeIfPresent(lastReverted, forKey: .lastReverted)
        try container.encodeIfPresent(lastHeld, forKey: .lastHeld)
        try container.encode(changes, forKey: .changes)
        try container.encodeIfPresent(pending, forKey: .pending)
        try container.encodeIfPresent(fetchOutage, forKey: .fetchOutage)
        try container.encodeIfPresent(streaming, forKey: .streaming)
        try container.encode(isFetching, forKey: .isFetching)
        try container.encodeIfPresent(lastFetchTime, forKey: .lastFetchTime)
        try container.encodeIfPresent(nextFetchTime, forKey: .nextFetchTime)
        try container.encodeIfPresent(pollIntervalSeconds, forKey: .pollIntervalSeconds)
        try container.encode(fetches, forKey: .fetches)
        try container.encode(trackers, forKey: .trackers)
        try container.encodeIfPresent(eventStoreFailure, forKey: .eventStoreFailure)
        try container.encode(overrides, forKey: .overrides)
        try container.encode(untracked, forKey: .untracked)
        try container.encode(issues, forKey: .issues)
        try container.encode(isStopped, forKey: .isStopped)
    }
}

extension SetupStatus {
    /// The series of failed fetches, with the reason for the last failure; nil if the last fetch did not fail.
    public var outage: ConfigurationChange? {
        get { fetchOutage.map(ConfigurationChange.init) }
        set { fetchOutage = newValue.map(FetchOutage.init) }
    }

    /// The time between two polls; nil without polling.
    public var pollInterval: Duration? {
        get { pollIntervalSeconds.map { .seconds($0) } }
        set { pollIntervalSeconds = newValue.map { $0 / .seconds(1) } }
    }

    /// Whether the service has a configuration to work with: a document or the default is in use, and the setup runs.
    public var isHealthy: Bool { document.state != nil && !isStopped }

    /// The namespaces whose trackers fail to deliver, sorted.
    public var failing: [String] { trackers.filter(\.isFailing).map(\.namespace) }
}
