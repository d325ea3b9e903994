extension ConfigurationLifecycle {
    /// The timers of a configuration.
    package enum Timer: Sendable, Hashable {
        /// Stops the startup watchdog.
        case startup
        case canary
        case poll
        /// Waits before the next connection of the stream of changes.
        case stream
        /// Waits before a fetch that hints ask for.
        case hint
        /// Waits for the source to be reached, before the document is stale.
        case staleness
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

    /// The present, and the source of random numbers.
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
