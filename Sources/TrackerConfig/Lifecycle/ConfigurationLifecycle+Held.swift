extension ConfigurationLifecycle {
    /// What is known of the document that is held back.
    struct HeldState: Sendable {
        /// The document, if the source can be asked whether it still serves it.
        var document: Held?
        /// Its rollout, if it has one.
        var rollout: (version: Int, rollout: Rollout)?
        /// Whether it was reverted.
        var isReverted = false
    }

    /// A document that was fetched and held back.
    struct Held: Sendable {
        let validators: DocumentValidators
        let outcome: ConfigurationOutcome

        /// nil without validators: the next request is by the active document's, or unconditional.
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

    mutating func fetched(_ fetch: Fetch, _ answer: FetchResponse, _ moment: Moment) -> [Action] {
        let isContact = if case .failed = answer { false } else { true }
        // Before the document is applied: its readers must not find it stale.
        return (isContact ? reached(moment) : []) + decide(fetch, answer, moment)
    }

    private mutating func decide(_ fetch: Fetch, _ answer: FetchResponse, _ moment: Moment) -> [Action] {
        switch answer {
        case .failed(let error): return finish(.failed(error), moment)
        case .rejected(let error):
            // The source does not serve the document that is held back any more.
            heldState = HeldState()
            // Another release of the service can use it.
            if error.code == .unmetRequirement, let version = error.version {
                let objection = HoldReason(.unmetRequirement, error.description)
                return finish(.held(objection, version: version), moment)
            }
            return finish(.rejected(error), moment)
        case .document(let fetched): return decide(fetched, moment)
        case .notModified:
            // Only another document replaces a held one.
            if let held = fetch.held ?? heldState.document, held.validators == fetch.validators {
                return finish(held.outcome, moment)
            }
            return finish(.notModified, moment)
        }
    }

    /// Decides on a document that was fetched: it is applied, held back, or nothing new.
    private mutating func decide(_ fetched: FetchedConfiguration, _ moment: Moment) -> [Action] {
        let document = fetched.document
        let decision = VersionDecision(
            on: document, over: active.map { ($0.version, $0.document?.digest) },
            defaultVersion: settings.defaultVersion,
            objection: fetched.review.objection)
        heldState = HeldState()
        switch decision {
        case .stale(let newest):
            return finish(.stale(version: document.version, newest: newest), moment)
        case .held(let objection):
            let outcome = ConfigurationOutcome.held(objection, version: document.version)
            hold(document, fetched.source.validators, outcome, objection.kind)
            return finish(outcome, moment)
        case .unchanged(let isOtherContent):
            // The same document under a new tag: the next fetch may ask by it.
            if active?.document?.digest == document.digest {
                activeState.configuration = active?.with(fetched.source.validators)
            }
            let outcome = ConfigurationOutcome.unchanged(version: document.version, isOtherContent: isOtherContent)
            return finish(outcome, moment)
        case .apply:
            let configuration = ActiveConfiguration(
                .fetched, document, fetched.source.bytes, fetched.source.validators, at: moment.time)
            return apply(configuration, .document(configuration, fetched), watch: .begins)
        }
    }

    /// Holds a document back until the source serves another one.
    mutating func hold(
        _ document: Document, _ validators: DocumentValidators?, _ outcome: ConfigurationOutcome,
        _ kind: HoldReason.Kind
    ) {
        heldState.rollout = document.offer
        heldState.isReverted = kind == .reverted
        // What is tried again after a time is not asked for by its tag.
        if kind != .crashes, let held = Held(validators, outcome) { heldState.document = held }
    }

    func cache(
        _ configuration: ActiveConfiguration, _ source: FetchedDocument, previous: ActiveConfiguration?
    ) -> Action {
        .cache(configuration, source.headers, previous: previous, unproven: canary?.monitor.version)
    }
}
