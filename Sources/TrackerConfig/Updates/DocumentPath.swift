/// The path of every configuration, from the decision on: it is applied, cached, published and reported.
///
/// The configuration of the start takes it on the thread that makes the setup, all later ones on the updater's thread. It
/// belongs to one thread at a time.
package final class DocumentPath {
    typealias Lifecycle = ConfigurationLifecycle

    /// What the path works with.
    package struct Parts: Sendable {
        package let remote: RemoteConfiguration
        let source: any ConfigurationSource
        package let documents: CachedDocuments
        package let history: VersionHistory
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
        /// Why the start was refused.
        var refusal: ConfigurationError?
    }

    let parts: Parts
    /// What is read on other threads.
    let standing: Locked<ConfigurationUpdater.Status>
    private(set) var lifecycle: ConfigurationLifecycle
    /// Whether a fetch is in progress, until the callbacks of its outcome begin.
    private var isFetching = false

    init(_ parts: Parts, defaultVersion: Int?, startTime: Int64) {
        self.parts = parts
        let settings = Lifecycle.Settings(
            defaultVersion: defaultVersion, startupWindow: parts.history.window,
            pollInterval: parts.remote.pollInterval,
            startTime: startTime)
        lifecycle = Lifecycle(settings)
        standing = Locked(ConfigurationUpdater.Status(lifecycle: lifecycle))
    }

    var isStopped: Bool { standing.withLock { $0.isStopped } }

    /// Takes the configuration of the start along the path.
    /// - Parameters:
    ///   - configuration: The configuration; nil if there is none.
    ///   - skipped: The cached documents that were passed over.
    /// - Throws: An error if a tracker could not work.
    func begin(
        with configuration: ActiveConfiguration?, skipped: [CachedDocuments.Skipped]
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
    /// - Parameter document: The document.
    /// - Returns: The review.
    func review(_ document: Document) -> Lifecycle.Review {
        let objection = parts.history.objection(to: document, hasOther: lifecycle.active != nil)
        parts.warnings.note(parts.history.takeWarnings())
        let canRollBack = document.rollout != nil && parts.registry.hasTrackers(with: lifecycle.rollbackTarget)
        return Lifecycle.Review(objection: objection, canRollBack: canRollBack)
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
        case .fetch:
            isFetching = true
            showStatus()
        case .cache(let configuration, let headers, let previous, let unproven):
            parts.warnings.note(
                parts.documents.store(configuration, headers, after: previous, unproven: unproven))
        case .recordReversion(let configuration, let reason):
            parts.history.watch?.end(.idle)
            if let version = configuration.version { parts.history.reverted(version, reason: reason) }
        case .markStale(let isStale): parts.features.store.markStale(isStale)
        case .report(let outcome, let level):
            isFetching = false
            showStatus()
            report(outcome, level)
        case .log(let level, let text, let version): parts.log.about(version).log(level, text)
        default: break
        }
    }

    /// Shows the state to readers on other threads.
    private func showStatus() {
        standing.discard { status in
            let old = status.lifecycle
            (status.lifecycle, status.isFetching) = (lifecycle, isFetching)
            return old
        }
    }
}
