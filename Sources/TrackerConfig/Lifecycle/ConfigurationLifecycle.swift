import FoundationEssentials
import TrackerFeatures

/// The lifecycle of a setup's configuration: decides about fetches, hints, timers and canaries, and calls its host to
/// act.
///
/// A document passes through `+Fetch`, `+Decision`, `+Application` and, if it is a canary, `+Canary`. The lifecycle does
/// no I/O and has no clock, so a simulation can be its host.
package struct ConfigurationLifecycle: Sendable {
    /// The settings of a setup, which never change.
    package struct Settings: Sendable {
        /// The default's version; only documents with a higher version are applied.
        var defaultVersion: Int?
        /// The time after a start or an update in which the end of the process counts against the version.
        var startupWindow = Duration.seconds(30)
        /// The time between two polls; nil for no polling.
        var pollInterval: Duration?
        /// The time when the setup was created, in milliseconds since 1970.
        var startTime: Int64 = 0

        package init(
            defaultVersion: Int? = nil, startupWindow: Duration = .seconds(30),
            pollInterval: Duration? = nil, startTime: Int64 = 0
        ) {
            (self.defaultVersion, self.startupWindow, self.pollInterval) = (defaultVersion, startupWindow, pollInterval)
            self.startTime = startTime
        }
    }

    let settings: Settings

    /// The configuration in use; nil if there is none.
    package internal(set) var active: ActiveConfiguration?
    /// The time when this process applied it, in milliseconds since 1970.
    var activeSince: Int64
    /// The bytes of the previous document; empty for the default, nil if there was none.
    package internal(set) var previousText: [UInt8]?
    /// The number of changes to another configuration.
    package internal(set) var changes = 0

    /// The document that is held back; empty if there is none.
    var held = Held()

    /// The current canary.
    package internal(set) var canary: Canary? {
        didSet { if let canary { lastCanary = canary.monitor } }
    }
    /// The monitor of the last canary, even after it has passed.
    private(set) var lastCanary: CanaryMonitor?
    /// Whether the active document requested a canary but was not observed, or failed and could not be rolled back.
    var isUnproven = false

    /// The request in progress.
    var request: Request?
    var hasFetched = false
    var polling: Polling?
    var outcomes = OutcomeHistory()

    var stream: ChangeStream
    var contact: Contact
    package private(set) var isStopped = false

    package init(_ settings: Settings) {
        self.settings = settings
        activeSince = settings.startTime
        stream = ChangeStream(pollInterval: settings.pollInterval)
        contact = Contact(last: (settings.startTime, .zero))
    }

    /// Whether a fetch is in progress.
    package var isFetching: Bool { request != nil }

    /// The target of a rollback if a document is applied now: during a canary its own target, otherwise the active
    /// configuration.
    package var rollbackTarget: ActiveConfiguration? { canary.map(\.rollbackTarget) ?? active }

    /// Starts with a configuration.
    /// - Parameters:
    ///   - configuration: The configuration; nil if there is none.
    ///   - held: The outcomes of the cached documents that are held back.
    ///   - host: The host.
    /// - Throws: An error if a tracker cannot work.
    package mutating func begin(
        with configuration: ActiveConfiguration?, held: [ConfigurationOutcome] = [], _ host: some LifecycleHost
    ) throws(ConfigurationError) {
        let applied = try configuration.map { (configuration) throws(ConfigurationError) in
            try host.apply(configuration, removing: [], isWatched: true, after: nil)
        }
        let time = Date(milliseconds: settings.startTime)
        // The initial configuration does not count as a change.
        active = configuration
        if let configuration {
            outcomes.add(
                ConfigurationChange(
                    kind: .applied, version: configuration.version, text: configuration.sentence, time: time,
                    needsAttention: false))
        }
        outcomes.last = held.first
        for outcome in held {
            var change = ConfigurationChange(outcome, at: time)
            // The start reverts a version whose processes crashed.
            if outcome.holdReason?.kind == .crashes { change.kind = .reverted }
            outcomes.add(change)
        }
        if let configuration, let applied { host.queueUpdate(configuration, applied, []) }
    }

    /// Starts the first fetch, the polls and the stream.
    /// - Parameters:
    ///   - canary: The canary of the cached document in use, from an earlier process; nil if there is none.
    ///   - host: The host.
    package mutating func start(_ canary: EarlierCanary?, _ host: some LifecycleHost) {
        guard !isStopped else { return }
        host.start(.startup, after: settings.startupWindow)
        if let canary { resume(canary, host) }
        polling = settings.pollInterval.map { Polling(schedule: PollSchedule(interval: $0)) }
        contact.last = (host.now.time, host.now.uptime)
        awaitContact(host)
        // A refresh may have started the first fetch; the polls do not wait for its end.
        if hasFetched { schedulePoll(after: .notModified, host) } else { beginPolledFetch(host) }
        openStream(host)
    }

    /// Begins a fetch, unless one is in progress.
    package mutating func refresh(_ host: some LifecycleHost) {
        if !isStopped { beginFetch(host) } else if !isFetching { finish(.shutDown, host) }
    }

    /// Handles a timer; the host handles ``Timer/canary`` and ``Timer/startup`` itself.
    package mutating func elapsed(_ timer: Timer, _ host: some LifecycleHost) {
        guard !isStopped else { return }
        switch timer {
        case .poll: beginPolledFetch(host)
        case .stream: if stream.isWaiting { openStream(host) }
        case .hint: beginHintedFetch(host)
        case .contact: checkContact(host)
        case .canary, .startup: break
        }
    }

    /// Stops; afterwards only the callers of fetches are answered.
    package mutating func stop(_ host: some LifecycleHost) {
        guard !isStopped else { return }
        isStopped = true
        (polling, outcomes.nextPoll, canary) = (nil, nil, nil)
        stream.close()
        host.cancelAll()
    }
}
