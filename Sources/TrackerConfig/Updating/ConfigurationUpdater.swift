/// Executes the actions of a ``ConfigurationLifecycle``: fetches, applies, caches and publishes, on a thread of its own.
///
/// The user's callbacks run here too: a slow one delays the next update and nothing else.
package actor ConfigurationUpdater {
    /// What an updater works with.
    package struct Parts: Sendable {
        package let remote: RemoteConfiguration
        package let scopes: DocumentRepository
        let registry: TrackerRegistry
        let collectors: CollectorPolicy
        let features: Features
        let experiments: Experiments
        let broadcast: EventBroadcast
        let fleet: FleetEvents
        package let time: any TimeSource
        let random: any RandomSource
        let log: Log
        let onSuccess: @Sendable (ConfigurationUpdate) -> Void
        let onOutcome: @Sendable (ConfigurationOutcome) -> Void
    }

    /// How a fetch ended.
    struct FetchEnd: Sendable {
        let outcome: ConfigurationOutcome
        /// nil if the fetch applied no document.
        let update: ConfigurationUpdate?
    }

    /// What the actions of an event came to.
    struct Effects: Sendable {
        var update: ConfigurationUpdate?
        /// Why a switch to another user was refused.
        var refusal: ConfigurationError?
        /// What was watched before a switch to another user began.
        var abandoned: [VersionGuards.Watch] = []
    }

    /// The next user's part of a setup, until the lifecycle enters it.
    struct PendingSwitch: Sendable {
        let source: any ConfigurationSource
        var guards: VersionGuards
        let warnings: [ConfigurationWarning]
    }

    package nonisolated let parts: Parts
    private let thread = ThreadExecutor(name: "tracker-config")

    private(set) var lifecycle: ConfigurationLifecycle
    /// The latest switch to another user.
    var lastSwitch: Task<Void, Never>?
    /// The current user's.
    var guards: VersionGuards
    /// The current user's.
    var source: any ConfigurationSource
    var pendingSwitch: PendingSwitch?
    var pendingWarnings: [ConfigurationWarning]
    /// The warnings of the start that were logged before any update.
    private var loggedWarnings: [ConfigurationWarning] = []
    /// The digests of the documents whose warnings were logged.
    private(set) var loggedDocuments: Set<UInt64>
    var timers: [ConfigurationLifecycle.Timer: Task<Void, Never>] = [:]
    /// Shuts down the trackers of namespaces that the configuration no longer names.
    var formerTrackers: Task<Void, Never>?
    /// The fetches that are in progress, by the URLs of their documents.
    var fetches: [String: Task<Void, Never>] = [:]
    /// The callers of each fetch.
    var callers: [String: [CheckedContinuation<FetchEnd, Never>]] = [:]
    /// What is read without waiting for the actor.
    nonisolated let standing: Locked<Standing>
    /// The latest state, for readers on other threads while the actor is busy with a user's callback.
    private nonisolated let seen: Locked<Status>
    // Not the actor's: a shutdown counts at once, also while the actor is busy with a user's callback.
    private nonisolated let stopped = Locked(false)

    package nonisolated var isStopped: Bool { stopped.withLock { $0 } }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(
        _ parts: Parts, scope: UserScope, source: any ConfigurationSource, guards: VersionGuards,
        active: ActiveConfiguration?, skipped: [FallbackChain.Skipped] = [], pendingWarnings: [ConfigurationWarning]
    ) {
        self.parts = parts
        let settings = ConfigurationLifecycle.Settings(
            defaultVersion: parts.scopes.defaultVersion.map { DocumentVersion($0) }, startupWindow: guards.own.window,
            pollInterval: parts.remote.pollInterval, refreshesOnUserChange: parts.remote.refreshesOnUserChange,
            cacheTimeout: parts.scopes.cache.timeout, startTime: parts.scopes.startTime)
        let lifecycle = ConfigurationLifecycle(settings, scope: scope, active: active, skipped: skipped)
        (self.lifecycle, self.source, self.guards) = (lifecycle, source, guards)
        self.pendingWarnings = pendingWarnings
        loggedDocuments = Set([active?.document?.digest].compactMap(\.self))
        standing = Locked(Standing(user: scope.user, watchdogs: guards.watchdogs))
        seen = Locked(Status(lifecycle, isFetching: false, instanceID: guards.own.instanceID))
    }

    /// The state at one moment.
    package nonisolated var status: Status {
        var status = seen.withLock { $0 }
        if isStopped { status.history.nextPoll = nil }
        return status
    }

    /// Begins the setup's own first fetch, and all that follows it.
    func start() {
        // The first update may be far away, and would bring them.
        if lifecycle.active == nil {
            loggedWarnings = pendingWarnings
            for warning in loggedWarnings { parts.log.warning("\(warning)") }
        }
        handle(.started)
        sendFormerEvents()
    }

    /// Fetches once, or joins the fetch of the current user's document that is in progress.
    /// - Parameter onSuccess: Called after the setup's own if the fetch applied a document.
    /// - Returns: The outcome of the fetch.
    func refresh(_ onSuccess: (@Sendable (ConfigurationUpdate) -> Void)? = nil) async -> ConfigurationOutcome {
        let end = await withCheckedContinuation { (continuation: CheckedContinuation<FetchEnd, Never>) in
            callers[lifecycle.scope.url, default: []].append(continuation)
            handle(.refreshRequested)
        }
        if let update = end.update, !isStopped { onSuccess?(update) }
        return end.outcome
    }

    /// Stops all that is in progress and lets nothing begin.
    nonisolated func stop() {
        stopped.withLock { $0 = true }
        parts.broadcast.finish()
        Task.unbound { await handleStop() }
    }

    private func handleStop() {
        var effects = Effects()
        process(.stopped, &effects)
    }

    /// The warnings of an update that were not logged before: those of a document are logged once.
    func newWarnings(_ update: ConfigurationUpdate, of document: Document?) -> [ConfigurationWarning] {
        let warnings = update.warnings.filter { !loggedWarnings.contains($0) }
        loggedWarnings = []
        guard let document, !loggedDocuments.insert(document.digest).inserted else { return warnings }
        return warnings.filter { !document.warnings.contains($0) }
    }

    /// Handles an event and executes the actions that it leads to, without a pause.
    @discardableResult
    func handle(_ event: ConfigurationLifecycle.Event) -> Effects {
        var effects = Effects()
        if isStopped { process(.stopped, &effects) }
        process(event, &effects)
        return effects
    }

    /// Handles an event that answers an action, or a new one.
    func process(_ event: ConfigurationLifecycle.Event, _ effects: inout Effects) {
        let moment = ConfigurationLifecycle.Moment(
            time: parts.time.wallTime, uptime: parts.time.uptime, random: parts.random)
        let actions = lifecycle.handle(event, at: moment)
        // Readers see the state before a user's callback runs.
        showStatus()
        for action in actions { execute(action, &effects) }
    }

    /// Shows the state to readers on other threads.
    func showStatus() {
        let instanceID = (pendingSwitch?.guards ?? guards).own.instanceID
        seen.exchange(Status(lifecycle, isFetching: fetches[lifecycle.scope.url] != nil, instanceID: instanceID))
    }
}
