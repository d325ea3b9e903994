/// The path of every configuration, from the decision on: it is applied, cached, published and reported.
///
/// The configuration of the start takes it on the thread that makes the setup, all later ones on the updater's thread. It
/// belongs to one thread at a time.
package final class DocumentPath {
    typealias Lifecycle = ConfigurationLifecycle

    /// What the path works with.
    package struct Parts: Sendable {
        package let remote: RemoteConfiguration
        package let repository: DocumentRepository
        let registry: TrackerRegistry
        let collectors: CollectorPolicy
        let features: Features
        let experiments: Experiments
        let broadcast: EventBroadcast
        let warnings: UpdateWarnings
        package let time: any TimeSource
        let random: any RandomSource
        let log: Log
        let onSuccess: @Sendable (ConfigurationUpdate) -> Void
        let onOutcome: @Sendable (ConfigurationOutcome) -> Void
    }

    /// The results of an event.
    struct Results: Sendable {
        /// The update, if a configuration was applied.
        var update: ConfigurationUpdate?
        /// Why the start or a switch to another user was refused.
        var refusal: ConfigurationError?
    }

    let parts: Parts
    /// What is read on other threads.
    let standing: Locked<ConfigurationUpdater.Status>
    private(set) var lifecycle: ConfigurationLifecycle
    /// The URLs of the fetches that are in progress.
    private var fetches: Set<String> = []

    init(_ parts: Parts, _ documents: UserDocuments) {
        self.parts = parts
        let repository = parts.repository
        let settings = Lifecycle.Settings(
            defaultVersion: repository.defaultVersion, startupWindow: documents.own.window,
            pollInterval: parts.remote.pollInterval, refreshesOnUserChange: parts.remote.refreshesOnUserChange,
            cacheTimeout: repository.cache.timeout, startTime: repository.startTime)
        lifecycle = Lifecycle(settings, documents)
        standing = Locked(ConfigurationUpdater.Status(lifecycle: lifecycle))
    }

    var isStopped: Bool { standing.withLock { $0.isStopped } }

    /// Takes the configuration of the start along the path.
    /// - Parameters:
    ///   - configuration: The configuration; nil if there is none.
    ///   - skipped: The cached documents that were passed over.
    /// - Throws: An error if a tracker could not work.
    func begin(
        with configuration: ActiveConfiguration?, skipped: [FallbackChain.Skipped]
    ) throws(ConfigurationError) {
        let results = handle(.began(configuration, skipped: skipped)) { _, _ in nil }
        if let refusal = results.refusal { throw refusal }
    }

    /// Handles an event and executes the actions that it leads to, without a pause.
    /// - Parameters:
    ///   - event: The event.
    ///   - follow: Called after each action for what needs the updater, with the update until then. Returns the event that
    ///     answers the action at once.
    /// - Returns: The results.
    func handle(
        _ event: Lifecycle.Event, follow: (Lifecycle.Action, ConfigurationUpdate?) -> Lifecycle.Event?
    ) -> Results {
        var results = Results()
        var actions = decide(event)[...]
        while let action = actions.popFirst() {
            var answer: Lifecycle.Event?
            switch action {
            case .apply(let request): answer = apply(request)
            case .publish(let configuration, let result, let warnings):
                results.update = publish(configuration, result, warnings)
            case .refuse(let error): results.refusal = error
            default: execute(action)
            }
            if let event = follow(action, results.update) ?? answer { actions = decide(event) + actions }
        }
        return results
    }

    /// Looks up what decides on a document beside its version.
    /// - Parameters:
    ///   - document: The document.
    ///   - url: Where it comes from.
    /// - Returns: The review.
    func review(_ document: Document, from url: String) -> Lifecycle.Review {
        let history = history(of: url)
        let hasOther = !lifecycle.isCurrent(url) || lifecycle.active != nil
        let objection = history.objection(to: document, hasOther: hasOther)
        parts.warnings.note(lifecycle.documents.takeWarnings())
        let canRollBack = document.rollout != nil && parts.registry.hasTrackers(with: lifecycle.rollbackTarget)
        return Lifecycle.Review(objection: objection, canRollBack: canRollBack)
    }

    /// The history of a URL's documents; for another user's one that only reads.
    func history(of url: String) -> VersionHistory {
        if let known = lifecycle.documents.history(of: url) { return known }
        let reading = parts.repository.history(of: url, watches: false)
        parts.warnings.note(reading.takeWarnings())
        return reading
    }

    private func decide(_ event: Lifecycle.Event) -> [Lifecycle.Action] {
        let moment = Lifecycle.Moment(time: parts.time.wallTime, uptime: parts.time.uptime, random: parts.random)
        let actions = lifecycle.handle(event, at: moment)
        // Readers see the state before a user's callback runs.
        showStatus()
        return actions
    }

    private func execute(_ action: Lifecycle.Action) {
        switch action {
        case .fetch(let fetch):
            fetches.insert(fetch.url)
            showStatus()
        case .cache(let configuration, let headers, let previous, let unproven):
            cache(configuration, headers, after: previous, unproven: unproven)
        case .recordReversion(let configuration, let reason):
            for watchdog in lifecycle.documents.watchdogs { watchdog.end(.idle) }
            if let version = configuration.version {
                lifecycle.documents[configuration].reverted(version, reason: reason)
            }
        case .enter(let next): parts.warnings.note(next.warnings)
        case .withdraw:
            parts.broadcast.forgetLatest()
            parts.features.store.listeners.release()
        case .markStale(let isStale): parts.features.store.markStale(isStale)
        case .report(let outcome, let url, let level): report(outcome, of: url, level)
        case .log(let level, let text, let version): parts.log.about(version).log(level, text)
        default: break
        }
    }

    /// Notes that the fetch of a URL has ended.
    func ended(_ url: String) {
        fetches.remove(url)
        showStatus()
    }

    /// Shows the state to readers on other threads.
    private func showStatus() {
        let isFetching = fetches.contains(lifecycle.scope.url)
        standing.discard { status in
            let old = status.lifecycle
            (status.lifecycle, status.isFetching) = (lifecycle, isFetching)
            return old
        }
    }
}
