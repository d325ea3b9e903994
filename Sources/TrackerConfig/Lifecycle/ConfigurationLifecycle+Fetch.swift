package import TrackerFeatures

extension ConfigurationLifecycle {
    /// A request for a document.
    struct Request: Sendable {
        /// The validators of a conditional request.
        let validators: DocumentValidators?
        /// The outcome of the document that they belong to, if it was held back when the request began.
        let heldOutcome: ConfigurationOutcome?
    }

    /// The answer to a request.
    package enum Answer: Sendable {
        case notModified
        case document(ReviewedDocument)
        /// The document cannot be used.
        case rejected(ConfigurationError)
        case failed(FetchError)
    }

    /// A document that was fetched, verified, decoded and reviewed.
    package struct ReviewedDocument: Sendable {
        package let document: Document
        package let source: FetchedDocument
        /// The reason to hold the document back even if its version could be applied.
        package let holdReason: HoldReason?
        /// Whether ``ConfigurationLifecycle/rollbackTarget`` has trackers.
        let canRollBack: Bool

        package init(
            _ document: Document, _ source: FetchedDocument, holdReason: HoldReason? = nil, canRollBack: Bool = false
        ) {
            (self.document, self.source) = (document, source)
            (self.holdReason, self.canRollBack) = (holdReason, canRollBack)
        }
    }

    struct Polling: Sendable {
        var schedule: PollSchedule
        /// Whether the next poll is scheduled at the end of the fetch in progress.
        var isAwaited = false
    }

    mutating func beginFetch(_ host: some LifecycleHost) {
        hasFetched = true
        guard !isFetching else { return }
        let validators = held.validators ?? active?.validators
        request = Request(validators: validators, heldOutcome: held.validators == nil ? nil : held.outcome)
        if stream.fetchBegins() { host.cancel(.hint) }
        host.fetch(validators)
    }

    /// Begins a fetch; the next poll is scheduled at its end.
    mutating func beginPolledFetch(_ host: some LifecycleHost) {
        polling?.isAwaited = true
        beginFetch(host)
    }

    /// Handles the answer to the request in progress.
    package mutating func fetched(_ answer: Answer, _ host: some LifecycleHost) {
        guard !isStopped else { return finish(.shutDown, host) }
        // Before the document is applied, because its readers must not find it stale.
        if case .failed = answer {} else { reached(host) }
        switch answer {
        case .failed(let error): finish(.failed(error), host)
        case .rejected(let error):
            // The source no longer serves the document that was held back.
            held = Held()
            // Another release of the service may be able to use it.
            if error.code == .unmetRequirement, let version = error.version {
                finish(.held(HoldReason(.unmetRequirement, error.description), version: version), host)
            } else {
                finish(.rejected(error), host)
            }
        case .document(let document): decide(document, host)
        case .notModified:
            // Only another document replaces a held one, which a rollback may have added during the fetch.
            let isHeld = held.validators != nil && held.validators == request?.validators
            finish(request?.heldOutcome ?? (isHeld ? held.outcome : nil) ?? .notModified, host)
        }
    }

    /// Completes a fetch: records and reports its outcome, and schedules the next poll.
    mutating func finish(_ outcome: ConfigurationOutcome, _ host: some LifecycleHost) {
        request = nil
        let isNew = outcomes.add(outcome, at: host.now.time)
        // An outcome that each poll repeats is logged once at its own level.
        host.queueOutcome(outcome, isNew ? outcome.logLevel : .debug)
        // After any successful fetch, the next poll can wait for a full interval.
        if polling?.isAwaited == true || outcome.fetchError == nil { schedulePoll(after: outcome, host) }
        followUp(outcome, isNew: isNew, host)
    }

    mutating func schedulePoll(after outcome: ConfigurationOutcome, _ host: some LifecycleHost) {
        guard var polling else { return }
        let now = host.now
        polling.isAwaited = false
        let wait = polling.schedule.wait(
            hasFailed: outcome.fetchError != nil, retryAfter: outcome.fetchError?.retryAfter,
            fraction: now.random.fraction())
        self.polling = polling
        outcomes.nextPoll = now.time + Int64(wait / .milliseconds(1))
        host.start(.poll, after: wait)
    }
}
