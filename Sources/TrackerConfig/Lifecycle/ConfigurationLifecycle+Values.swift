package import TrackerFeatures

extension ConfigurationLifecycle {
    /// The timers of a lifecycle.
    package enum Timer: Sendable, Hashable {
        /// Stops the startup watchdog.
        case startup
        case canary
        case poll
        /// Waits before the next connection of the stream of changes.
        case stream
        /// Waits before a fetch that hints have requested.
        case hint
        /// Waits for contact with the source before the document becomes stale.
        case staleness
    }

    /// A request for a document.
    package struct Fetch: Sendable {
        /// The validators of a conditional request.
        package let validators: DocumentValidators?
        /// The document that was held back when the fetch began.
        let held: Held?
    }

    /// The response of a source.
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

    /// The inputs of the decision on a document besides its version.
    package struct Review: Sendable {
        /// The reason to hold the document back even if its version could be applied.
        package var objection: HoldReason?
        /// Whether ``ConfigurationLifecycle/rollbackTarget`` has trackers.
        var canRollBack = false

        package init(objection: HoldReason? = nil, canRollBack: Bool = false) {
            (self.objection, self.canRollBack) = (objection, canRollBack)
        }
    }

    /// The result of applying a configuration.
    package struct ApplyResult: Sendable {
        /// The configuration's namespaces that have a tracker.
        var namespaces: [String]
        /// The namespaces that had no tracker before.
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

    /// The rollback target of a canary from an earlier process.
    package struct RollbackTarget: Sendable {
        /// nil if there is no configuration with trackers.
        var configuration: ActiveConfiguration?
        /// The trackers of the target without any requests, by namespace.
        var before: [ExactText: CanaryMonitor.Observation] = [:]
        /// The trackers that the target does not have.
        var addedNamespaces: Set<ExactText> = []

        package init(
            configuration: ActiveConfiguration? = nil, before: [ExactText: CanaryMonitor.Observation] = [:],
            addedNamespaces: Set<ExactText> = []
        ) {
            (self.configuration, self.before, self.addedNamespaces) = (configuration, before, addedNamespaces)
        }
    }

    /// The current time, and the source of random numbers.
    package struct Moment: Sendable {
        /// Milliseconds since 1970.
        let time: Int64
        /// The monotonic clock.
        let uptime: Duration
        let random: any RandomSource

        package init(time: Int64, uptime: Duration, random: any RandomSource) {
            (self.time, self.uptime, self.random) = (time, uptime, random)
        }
    }
}
