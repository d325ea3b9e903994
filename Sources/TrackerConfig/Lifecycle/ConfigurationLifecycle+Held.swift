import TrackerFeatures

extension ConfigurationLifecycle {
    /// The state of the document that is held back.
    struct HeldState: Sendable {
        /// The document, if a conditional request can ask for it.
        var document: Held?
        /// Its rollout, if it has one.
        var rollout: (version: Int, rollout: Rollout)?
        /// Whether it was reverted.
        var isReverted = false
    }

    /// A fetched document that is held back.
    struct Held: Sendable {
        let validators: DocumentValidators
        let outcome: ConfigurationOutcome

        /// nil without validators: then the next request uses those of the active document, or is unconditional.
        init?(_ validators: DocumentValidators?, _ outcome: ConfigurationOutcome) {
            guard let validators, validators != DocumentValidators() else { return nil }
            (self.validators, self.outcome) = (validators, outcome)
        }
    }

    /// The next fetch.
    var nextFetch: Fetch {
        let held = heldState.document
        return Fetch(validators: held?.validators ?? active?.validators, held: held)
    }

    /// Handles the response of a source.
    package mutating func fetched(_ fetch: Fetch, _ answer: FetchResponse, _ host: some LifecycleHost) {
        guard !isStopped else { return finish(.shutDown, host) }
        // Before the document is applied, because its readers must not find it stale.
        if case .failed = answer {} else { reached(host) }
        switch answer {
        case .failed(let error): finish(.failed(error), host)
        case .rejected(let error):
            // The source no longer serves the document that was held back.
            heldState = HeldState()
            // Another release of the service may be able to use it.
            if error.code == .unmetRequirement, let version = error.version {
                finish(.held(HoldReason(.unmetRequirement, error.description), version: version), host)
            } else {
                finish(.rejected(error), host)
            }
        case .document(let fetched): decide(fetched, host)
        case .notModified:
            // Only another document replaces a held one.
            let held = (fetch.held ?? heldState.document).flatMap { $0.validators == fetch.validators ? $0 : nil }
            finish(held?.outcome ?? .notModified, host)
        }
    }

    /// Decides whether a fetched document is applied, held back, or ignored.
    private mutating func decide(_ fetched: FetchedConfiguration, _ host: some LifecycleHost) {
        let document = fetched.document
        let decision = VersionDecision(
            on: document, over: active.map { ($0.version, $0.document?.digest) },
            defaultVersion: settings.defaultVersion, objection: fetched.review.objection)
        heldState = HeldState()
        switch decision {
        case .stale(let newest): finish(.stale(version: document.version, newest: newest), host)
        case .held(let objection):
            let outcome = ConfigurationOutcome.held(objection, version: document.version)
            hold(document, fetched.source.validators, outcome, objection.kind)
            finish(outcome, host)
        case .unchanged(let isOtherContent):
            // The same document with a new tag, which the next fetch can use.
            if active?.document?.digest == document.digest {
                activeState.configuration = active?.with(fetched.source.validators)
            }
            finish(.unchanged(version: document.version, isOtherContent: isOtherContent), host)
        case .apply: apply(fetched, host)
        }
    }

    /// Holds a document back until the source serves another one.
    mutating func hold(
        _ document: Document, _ validators: DocumentValidators?, _ outcome: ConfigurationOutcome,
        _ kind: HoldReason.Kind
    ) {
        heldState.rollout = document.offer
        heldState.isReverted = kind == .reverted
        // A version that is retried after a time must not be requested conditionally.
        if kind != .crashes, let held = Held(validators, outcome) { heldState.document = held }
    }
}
