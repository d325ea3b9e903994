/// Fetches, judges, applies, caches and tells, one document at a time, on a thread of its own.
///
/// The user's callbacks run here too: a slow one delays the next update and nothing else.
actor ConfigurationCycle {
    /// What a cycle works with.
    struct Parts: Sendable {
        let remote: RemoteConfiguration
        let source: any ConfigurationSource
        let ladder: ConfigurationLadder
        let registry: TrackerRegistry
        let features: Features
        let broadcast: EventBroadcast
        let fleet: FleetEvents
        let crashWindow: Duration
        let time: any TimeSource
        let random: any RandomSource
        let log: Log
        let onSuccess: @Sendable (ConfigurationUpdate) -> Void
        let onOutcome: @Sendable (ConfigurationOutcome) -> Void
    }

    /// A document that was fetched and not used.
    struct Held: Sendable {
        let validators: Validators
        let outcome: ConfigurationOutcome
    }

    let parts: Parts
    private let thread = ThreadExecutor(name: "tracker-config")

    var versions: VersionGuard
    var active: ActiveConfiguration?
    /// The last one that was good, while a canary is watched.
    var lastGood: ActiveConfiguration?
    var held: Held?
    var bake: Bake?
    /// The trackers that only the watched document has.
    var bakedNamespaces: Set<String> = []
    var bakeTask: Task<Void, Never>?
    var watchTask: Task<Void, Never>?
    var pollTask: Task<Void, Never>?
    var pendingWarnings: [ConfigurationWarning]
    private var fetch: Task<(ConfigurationOutcome, ConfigurationUpdate?), Never>?
    private var lastOutcome: ConfigurationOutcome?
    private var hasBegun = false
    // Not the actor's: a shutdown counts at once, also while the actor is busy with somebody's callback.
    private nonisolated let stopped = Locked(false)

    nonisolated var isStopped: Bool { stopped.withLock { $0 } }

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(
        _ parts: Parts, versions: VersionGuard, active: ActiveConfiguration?, pendingWarnings: [ConfigurationWarning]
    ) {
        self.parts = parts
        self.versions = versions
        self.active = active
        self.pendingWarnings = pendingWarnings
    }

    /// The setup's own first fetch, which may have been begun by a refresh already, and all that follows it.
    func start() async {
        if active?.document != nil {
            followWatch()
            await resumeBake()
        }
        var outcome: ConfigurationOutcome?
        if !hasBegun { outcome = await refresh() }
        if let interval = parts.remote.pollInterval { poll(PollSchedule(interval: interval), after: outcome) }
    }

    /// Fetches once, or joins the fetch that is under way.
    /// - Parameter onSuccess: Called after the setup's own where the fetch applied a document.
    /// - Returns: How the fetch ended.
    func refresh(_ onSuccess: (@Sendable (ConfigurationUpdate) -> Void)? = nil) async -> ConfigurationOutcome {
        hasBegun = true
        let fetch = self.fetch ?? Task { await self.runFetch() }
        self.fetch = fetch
        let (outcome, update) = await fetch.value
        if let update, !isStopped { onSuccess?(update) }
        return outcome
    }

    /// Ends all that is under way and lets nothing begin.
    nonisolated func stop() {
        stopped.withLock { $0 = true }
        parts.broadcast.finish()
        Task { await cancelTasks() }
    }

    private func cancelTasks() {
        fetch?.cancel()
        for task in [pollTask, watchTask, bakeTask] { task?.cancel() }
    }

    private func runFetch() async -> (ConfigurationOutcome, ConfigurationUpdate?) {
        let (outcome, update) = await fetchAndApply()
        fetch = nil
        if case .rejected(let error) = outcome { parts.fleet.rejected(error) }
        // What a poll meets again and again is an error once.
        if outcome.isTrouble && outcome != lastOutcome {
            parts.log.error("\(outcome)")
        } else {
            parts.log.debug("\(outcome)")
        }
        lastOutcome = outcome
        // Nobody expects to be called back by what was shut down.
        if !isStopped {
            parts.onOutcome(outcome)
            parts.broadcast.send(.outcome(outcome))
        }
        return (outcome, update)
    }

    private func fetchAndApply() async -> (ConfigurationOutcome, ConfigurationUpdate?) {
        let shutDown = ConfigurationOutcome.failed(FetchError(.shutDown, reason: "the setup was shut down"))
        guard !isStopped else { return (shutDown, nil) }
        let result: FetchResult
        do throws(FetchError) {
            result = try await parts.source.fetch(held?.validators ?? active?.validators)
        } catch {
            return (isStopped ? shutDown : .failed(error), nil)
        }
        switch result {
        case .notModified:
            // What was held is held still: only another document changes that.
            return (held?.outcome ?? .notModified, nil)
        case .document(let fetched):
            do throws(ConfigurationError) {
                let document = try verified(fetched)
                let before = await observations(for: document)
                guard !isStopped else { return (shutDown, nil) }
                return try use(document, fetched, before: before)
            } catch {
                return (.rejected(error), nil)
            }
        }
    }

    private func verified(_ fetched: FetchedDocument) throws(ConfigurationError) -> Document {
        do {
            try parts.remote.verify?(fetched.bytes, fetched.headers)
        } catch {
            throw ConfigurationError(.unverified, place: "", reason: "the verification failed: \(error)")
        }
        return try Document(fetched.bytes)
    }
}
