extension ConfigurationLifecycle {
    /// What happens to a configuration.
    enum Event: Sendable {
        /// The setup runs; its first fetch and its polls begin.
        case started
        /// The answer to ``Action/loadCache``: the configuration that the setup would have started with.
        case cacheLoaded(ActiveConfiguration?)
        /// The first fetch has waited long enough for the cached document.
        case cacheTimedOut
        /// The service, the operator or a hangup signal asks for a fetch.
        case refreshRequested
        /// The wait for the next poll is over.
        case pollElapsed
        /// A source answered.
        case fetched(Fetch, FetchResponse)
        /// The answer to ``Action/review(_:_:)``.
        case reviewed(Fetch, FetchedConfiguration, Review)
        /// The answer to ``Action/apply(_:)``.
        case applied(ApplicationResult)
        /// The answer to ``Action/apply(_:)`` if a tracker could not work; nothing was changed.
        case applicationFailed(ConfigurationError)
        /// The trackers as they are while a canary is observed, and why another process of the instance reverted it.
        case canaryObserved([String: CanaryMonitor.Observation], reversion: String?)
        /// The answer to ``Action/findRollbackTarget(_:)``.
        case rollbackTargetFound(RollbackTarget, RollbackSearch)
        /// The service switches to another user; with the configuration that the user falls back to, nil if there is none.
        case userChanged(UserScope, fallback: ActiveConfiguration?)
        /// The setup is shut down.
        case stopped
    }

    /// A request for a document.
    struct Fetch: Sendable {
        let url: String
        /// The validators of a conditional request.
        let validators: DocumentValidators?
        /// What was held back when the fetch began.
        let held: Held?
    }

    /// What a source answered.
    enum FetchResponse: Sendable {
        case notModified
        case document(FetchedConfiguration)
        /// The document cannot be used.
        case rejected(ConfigurationError)
        case failed(FetchError)
    }

    /// A document that was fetched, verified and decoded.
    struct FetchedConfiguration: Sendable {
        let document: Document
        let source: FetchedDocument
    }

    /// What decides on a document beside its version.
    struct Review: Sendable {
        /// The version below which nothing is applied.
        var floor: DocumentVersion?
        /// Why the document is held back.
        var objection: HoldReason?
        /// The trackers just before the document is applied, by namespace.
        var before: [String: CanaryMonitor.Observation] = [:]
        /// Whether ``ConfigurationLifecycle/rollbackTarget`` has trackers.
        var canRollBack = false
    }

    /// What the application of a configuration came to.
    struct ApplicationResult: Sendable {
        /// The configuration's namespaces that have a tracker.
        var namespaces: [String]
        /// The namespaces that had none before.
        var addedNamespaces: Set<ExactText> = []
        var warnings: [ConfigurationWarning] = []
    }

    /// What the canary of an earlier process can be rolled back to.
    struct RollbackTarget: Sendable {
        /// nil if there is none with trackers.
        var configuration: ActiveConfiguration?
        /// Its trackers without any requests, by namespace.
        var before: [String: CanaryMonitor.Observation] = [:]
        /// The trackers that it has not.
        var addedNamespaces: Set<ExactText> = []
    }
}
