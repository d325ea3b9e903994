extension ConfigurationLifecycle {
    /// What happens to a configuration.
    package indirect enum Event: Sendable {
        /// The setup is made: the configuration that it begins with, nil if there is none, and the cached documents that
        /// were passed over.
        case began(ActiveConfiguration?, skipped: [CachedDocuments.Skipped])
        /// The setup runs; its first fetch and its polls begin. If its cached document is a canary that an earlier process
        /// began, with what that can be rolled back to.
        case started(RollbackTarget? = nil)
        /// The service or the operator asks for a fetch.
        case refreshRequested
        /// The wait for the next poll is over.
        case pollElapsed
        /// A source answered.
        case fetched(Fetch, FetchResponse)
        /// The source hints at a change, over the connection with the number. The first hint says that it is open.
        case hinted(ChangeHint, Int)
        /// The connection with the number has ended, perhaps by a failure.
        case streamEnded(FetchError?, Int)
        /// The answer to ``Action/openStream(_:)`` if the source has no stream, or none yet.
        case streamMissing
        /// The wait for the next connection is over.
        case streamElapsed
        /// The wait before a fetch that hints ask for is over.
        case hintElapsed
        /// The source was not reached for so long that the document is stale.
        case contactMissed
        /// The answer to ``Action/apply(_:)``.
        case applied(ApplyResult)
        /// The answer to ``Action/apply(_:)`` if a tracker could not work; nothing was changed.
        case applicationFailed(ConfigurationError)
        /// The trackers as they are while a canary is observed, and why another process of the instance reverted it.
        case canaryObserved([ExactText: CanaryMonitor.Observation], reversion: String?)
        /// The setup is shut down.
        case stopped
    }

    /// A request for a document.
    package struct Fetch: Sendable {
        /// The validators of a conditional request.
        package let validators: DocumentValidators?
        /// What was held back when the fetch began.
        let held: Held?
    }

    /// What a source answered.
    package enum FetchResponse: Sendable {
        case notModified
        case document(FetchedConfiguration)
        /// The document cannot be used.
        case rejected(ConfigurationError)
        case failed(FetchError)
    }

    /// A document that was fetched, verified, decoded and reviewed.
    package struct FetchedConfiguration: Sendable {
        package let document: Document
        package let source: FetchedDocument
        package var review: Review

        package init(document: Document, source: FetchedDocument, review: Review = Review()) {
            (self.document, self.source, self.review) = (document, source, review)
        }
    }

    /// What decides on a document beside its version.
    package struct Review: Sendable {
        /// Why the document is held back, if its version could be applied.
        package var objection: HoldReason?
        /// Whether ``ConfigurationLifecycle/rollbackTarget`` has trackers.
        var canRollBack = false

        package init(objection: HoldReason? = nil, canRollBack: Bool = false) {
            (self.objection, self.canRollBack) = (objection, canRollBack)
        }
    }

    /// What the application of a configuration came to.
    package struct ApplyResult: Sendable {
        /// The configuration's namespaces that have a tracker.
        var namespaces: [String]
        /// The namespaces that had none before.
        var addedNamespaces: Set<ExactText> = []
        var warnings: [ConfigurationError] = []
        /// The trackers just before a canary was applied, by namespace.
        var before: [ExactText: CanaryMonitor.Observation] = [:]

        package init(
            namespaces: [String], addedNamespaces: Set<ExactText> = [], warnings: [ConfigurationError] = [],
            before: [ExactText: CanaryMonitor.Observation] = [:]
        ) {
            (self.namespaces, self.addedNamespaces) = (namespaces, addedNamespaces)
            (self.warnings, self.before) = (warnings, before)
        }
    }

    /// What the canary of an earlier process can be rolled back to.
    package struct RollbackTarget: Sendable {
        /// nil if there is none with trackers.
        var configuration: ActiveConfiguration?
        /// Its trackers without any requests, by namespace.
        var before: [ExactText: CanaryMonitor.Observation] = [:]
        /// The trackers that it has not.
        var addedNamespaces: Set<ExactText> = []

        package init(
            configuration: ActiveConfiguration? = nil, before: [ExactText: CanaryMonitor.Observation] = [:],
            addedNamespaces: Set<ExactText> = []
        ) {
            (self.configuration, self.before, self.addedNamespaces) = (configuration, before, addedNamespaces)
        }
    }

    /// When an event is handled, and the source of its random numbers.
    package struct Moment: Sendable {
        /// Milliseconds since 1970.
        let time: Int64
        /// The clock that never goes back.
        let uptime: Duration
        let random: any RandomSource

        package init(time: Int64, uptime: Duration, random: any RandomSource) {
            (self.time, self.uptime, self.random) = (time, uptime, random)
        }
    }
}
