/// Fetches, judges, applies, caches and tells, one document at a time, on a thread of its own.
///
/// The user's callbacks run here too: a slow one delays the next update and nothing else.
package actor ConfigurationUpdater {
    /// What an updater works with.
    package struct Parts: Sendable {
        package let remote: RemoteConfiguration
        package let scopes: UserScopes
        let registry: TrackerRegistry
        let collectors: CollectorPolicy
        let features: Features
        let experiments: Experiments
        let broadcast: EventBroadcast
        let fleet: FleetEvents
        let crashWindow: Duration
        package let time: any TimeSource
        let random: any RandomSource
        let log: Log
        let onSuccess: @Sendable (ConfigurationUpdate) -> Void
        let onOutcome: @Sendable (ConfigurationOutcome) -> Void
    }

    /// A document that was fetched and not used.
    struct Held: Sendable {
        let validators: Validators
        let use: Use
    }

    package nonisolated let parts: Parts
    private let thread = ThreadExecutor(name: "tracker-config")

    /// The current user's.
    var scope: UserScope
    var guards: VersionGuards
    var active: ActiveConfiguration? {
        didSet {
            guard oldValue?.text != active?.text || oldValue?.url != active?.url else { return }
            changes += 1
            // Its text alone: what a decoded document takes is too much for what is looked at now and then.
            previousText = oldValue.flatMap { isPrivate($0) ? nil : $0.text }
        }
    }
    /// The document before the active one, as it was fetched; empty for the default, nil where there was none, or only
    /// another user's.
    private var previousText: [UInt8]?
    /// Counts how often another configuration came into use.
    private var changes = 0
    /// The last one that was good, while a canary is watched.
    var lastGood: ActiveConfiguration?
    var held: Held?
    var bake: CanaryMonitor?
    /// The trackers that only the watched document has.
    var bakedNamespaces: Set<ExactText> = []
    /// Where the watched document came from.
    var bakedURL: String?
    var bakeTask: Task<Void, Never>?
    var watchTask: Task<Void, Never>?
    var pollTask: Task<Void, Never>?
    var pendingWarnings: [ConfigurationWarning]
    /// Counts the switches to other users.
    var switches = 0
    var lastOutcome: ConfigurationOutcome?
    var history = FetchHistory()
    /// The fetches that are under way, by the URLs of their documents.
    private var fetches: [String: Task<Use, Never>] = [:]
    private var hasBegun = false
    /// What is asked for without waiting for the actor.
    nonisolated let standing: Locked<Standing>
    /// How it stood last; for who looks while the actor is busy with somebody's callback.
    private nonisolated let seen: Locked<Status>
    // Not the actor's: a shutdown counts at once, also while the actor is busy with somebody's callback.
    private nonisolated let stopped = Locked(false)

    package nonisolated var isStopped: Bool { stopped.withLock { $0 } }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(
        _ parts: Parts, scope: UserScope, guards: VersionGuards, active: ActiveConfiguration?,
        pendingWarnings: [ConfigurationWarning]
    ) {
        self.parts = parts
        (self.scope, self.guards, self.active) = (scope, guards, active)
        self.pendingWarnings = pendingWarnings
        standing = Locked(Standing(user: scope.user, watchdogs: guards.watchdogs))
        seen = Locked(
            Status(
                scope: scope, active: active, previousText: nil, changes: 0, instanceID: guards.own.instanceID,
                history: FetchHistory(), isFetching: false))
    }

    /// How it stands, at one moment.
    package nonisolated var status: Status {
        var status = seen.withLock { $0 }
        if isStopped { status.history.nextPoll = nil }
        return status
    }

    /// Shows how it stands to who looks; at moments when all of it belongs together, and before somebody is called.
    func show() {
        let status = Status(
            scope: scope, active: active, previousText: previousText, changes: changes,
            instanceID: guards.own.instanceID, history: history, isFetching: fetches[scope.url] != nil)
        seen.exchange(status)
    }

    /// Whether a configuration was for another user alone, of which the current one is to see nothing.
    private func isPrivate(_ configuration: ActiveConfiguration) -> Bool {
        guard let url = configuration.url, url != active?.url else { return false }
        return url != scope.chain.urls.last
    }

    /// The setup's own first fetch, which may have been begun by a refresh already, and all that follows it.
    func start() async {
        if active?.document != nil {
            followWatch()
            resumeBake()
        }
        var outcome: ConfigurationOutcome?
        if !hasBegun { outcome = await refresh() }
        if let interval = parts.remote.pollInterval { poll(PollSchedule(interval: interval), after: outcome) }
    }

    /// Fetches once, or joins the fetch of the current user's document that is under way.
    /// - Parameter onSuccess: Called after the setup's own where the fetch applied a document.
    /// - Returns: How the fetch ended.
    func refresh(_ onSuccess: (@Sendable (ConfigurationUpdate) -> Void)? = nil) async -> ConfigurationOutcome {
        hasBegun = true
        let scope = self.scope
        let fetch = fetches[scope.url] ?? Task { await self.runFetch(scope) }
        fetches[scope.url] = fetch
        show()
        let use = await fetch.value
        if let update = use.update, !isStopped { onSuccess?(update) }
        return use.outcome
    }

    /// Ends all that is under way and lets nothing begin.
    nonisolated func stop() {
        stopped.withLock { $0 = true }
        parts.broadcast.finish()
        Task { await cancelTasks() }
    }

    private func cancelTasks() {
        for fetch in fetches.values { fetch.cancel() }
        for task in [pollTask, watchTask, bakeTask] { task?.cancel() }
    }

    private func runFetch(_ scope: UserScope) async -> Use {
        let use = await fetchAndApply(scope)
        let outcome = use.outcome
        fetches[scope.url] = nil
        if case .rejected(let error) = outcome { parts.fleet.rejected(error) }
        // What a poll meets again and again is logged once at its level; what comes for another user is a detail.
        let isNews = isCurrent(scope) && outcome != lastOutcome
        parts.log.log(isNews ? use.logLevel : .debug, "\(outcome)")
        if isCurrent(scope) { lastOutcome = outcome }
        history.add(FetchRecord(outcome, at: parts.time.wallTime))
        show()
        // Nobody expects to be called back by what was shut down.
        if !isStopped {
            parts.onOutcome(outcome)
            parts.broadcast.send(.outcome(outcome))
        }
        return use
    }
}
