/// Fetches, judges, applies, caches and tells, one document at a time, on a thread of its own.
///
/// The user's callbacks run here too: a slow one delays the next update and nothing else.
actor ConfigurationCycle {
    /// The configuration that is in use.
    struct Active: Sendable {
        let state: ConfigurationState
        let version: Int?
        let digest: UInt64?
        let meta: JSONObject
        /// Of a remote document; a default has none, and is never the reason for a conditional request.
        var validators: Validators?
    }

    private let thread = ThreadExecutor(name: "tracker-config")
    private let url: String
    private let source: any ConfigurationSource
    private let cache: any ConfigurationCache
    private let registry: TrackerRegistry
    private let broadcast: EventBroadcast
    private let defaultVersion: Int?
    private let time: any TimeSource
    private let log: Log
    private let onSuccess: @Sendable (ConfigurationUpdate) -> Void
    private let onOutcome: @Sendable (ConfigurationOutcome) -> Void

    private var active: Active?
    private var pendingWarnings: [ConfigurationWarning]
    private var fetch: Task<(ConfigurationOutcome, ConfigurationUpdate?), Never>?
    private var hasBegun = false
    // Not the actor's: a shutdown counts at once, also while the actor is busy with somebody's callback.
    private nonisolated let stopped = Locked(false)

    private nonisolated var isStopped: Bool { stopped.withLock { $0 } }

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(
        url: String,
        source: any ConfigurationSource,
        cache: any ConfigurationCache,
        registry: TrackerRegistry,
        broadcast: EventBroadcast,
        defaultVersion: Int?,
        active: Active?,
        pendingWarnings: [ConfigurationWarning],
        time: any TimeSource,
        log: Log,
        onSuccess: @escaping @Sendable (ConfigurationUpdate) -> Void,
        onOutcome: @escaping @Sendable (ConfigurationOutcome) -> Void
    ) {
        self.url = url
        self.source = source
        self.cache = cache
        self.registry = registry
        self.broadcast = broadcast
        self.defaultVersion = defaultVersion
        self.active = active
        self.pendingWarnings = pendingWarnings
        self.time = time
        self.log = log
        self.onSuccess = onSuccess
        self.onOutcome = onOutcome
    }

    /// What the active document carries for the service.
    var meta: JSONObject { active?.meta ?? JSONObject() }

    /// The setup's own first fetch, which may have been begun by a refresh already.
    func start() async {
        if !hasBegun { _ = await refresh() }
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

    /// Ends the fetch that is under way and lets no other begin.
    nonisolated func stop() {
        stopped.withLock { $0 = true }
        broadcast.finish()
        Task { await cancelFetch() }
    }

    private func cancelFetch() {
        fetch?.cancel()
    }

    private func runFetch() async -> (ConfigurationOutcome, ConfigurationUpdate?) {
        let (outcome, update) = await fetchAndApply()
        fetch = nil
        switch outcome {
        case .rejected, .failed, .unchanged(_, isOtherContent: true): log.error("\(outcome)")
        default: log.debug("\(outcome)")
        }
        // Nobody expects to be called back by what was shut down.
        if !isStopped {
            onOutcome(outcome)
            broadcast.send(.outcome(outcome))
        }
        return (outcome, update)
    }

    private func fetchAndApply() async -> (ConfigurationOutcome, ConfigurationUpdate?) {
        let shutDown = ConfigurationOutcome.failed(FetchError(.shutDown, reason: "the setup was shut down"))
        guard !isStopped else { return (shutDown, nil) }
        do {
            switch try await source.fetch(active?.validators) {
            case .notModified: return (.notModified, nil)
            case .document(let bytes, let validators):
                guard !isStopped else { return (shutDown, nil) }
                return try apply(bytes, validators)
            }
        } catch let error as FetchError {
            return (isStopped ? shutDown : .failed(error), nil)
        } catch let error as ConfigurationError {
            return (.rejected(error), nil)
        } catch {
            return (.failed(FetchError(.transport, reason: "\(error)")), nil)
        }
    }

    private func apply(
        _ bytes: [UInt8], _ validators: Validators
    ) throws(ConfigurationError) -> (ConfigurationOutcome, ConfigurationUpdate?) {
        let document = try Document(bytes)
        let version = document.version
        let inUse = active.map { Adoption.Active(version: $0.version, digest: $0.digest) }
        let adoption = Adoption.judge(
            version: version, digest: document.digest, active: inUse, defaultVersion: defaultVersion)
        switch adoption {
        case .stale: return (.stale(version: version), nil)
        case .unchanged(let isOtherContent):
            // The same document under a new tag: the next fetch may ask by it.
            if active?.digest == document.digest { active?.validators = validators }
            return (.unchanged(version: version, isOtherContent: isOtherContent), nil)
        case .adopted: break
        }
        let (namespaces, warnings) = try registry.apply(document)
        active = Active(
            state: .fetched, version: version, digest: document.digest, meta: document.meta, validators: validators)
        let entry = CacheEntry(url: url, document: bytes, validators: validators, fetchTime: time.wallTime)
        do throws(FileError) {
            try cache.store(entry)
        } catch {
            pendingWarnings.append(
                ConfigurationWarning(place: "cache", reason: "the document was applied but not cached: \(error)"))
        }
        let update = ConfigurationUpdate(
            state: .fetched, version: version, namespaces: namespaces, trackers: registry.trackers, meta: document.meta,
            warnings: pendingWarnings + document.warnings + warnings)
        pendingWarnings = []
        deliver(update)
        return (.applied(version: version, namespaces: namespaces), update)
    }

    private func deliver(_ update: ConfigurationUpdate) {
        for warning in update.warnings { log.error("\(warning)") }
        guard !isStopped else { return }
        onSuccess(update)
        broadcast.send(.update(update))
    }
}
