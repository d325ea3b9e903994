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

    /// The next fetch of the current user's document.
    var nextFetch: Fetch {
        let held = heldState.document
        return Fetch(url: scope.url, validators: held?.validators ?? activeValidators, held: held)
    }

    /// The validators of the active document, if the current user's URL has it.
    private var activeValidators: DocumentValidators? { active?.url == scope.url ? active?.validators : nil }

    mutating func fetched(_ fetch: Fetch, _ answer: FetchResponse, _ moment: Moment) -> [Action] {
        let isCurrent = isCurrent(fetch.url)
        var isContact = isCurrent && !fetch.isSignalled
        if case .failed = answer { isContact = false }
        // Before the document is applied: its readers must not find it stale.
        return (isContact ? reached(moment) : []) + decide(fetch, answer, isCurrent, moment)
    }

    private mutating func decide(
        _ fetch: Fetch, _ answer: FetchResponse, _ isCurrent: Bool, _ moment: Moment
    ) -> [Action] {
        switch answer {
        case .failed(let error): return finish(fetch, .failed(error), moment)
        case .rejected(let error):
            // The source does not serve the document that is held back any more.
            if isCurrent, !fetch.isSignalled { heldState = HeldState() }
            // Another release of the service can use it.
            if error.code == .unmetRequirement, let version = error.version {
                let objection = HoldReason(.unmetRequirement, error.description)
                return finish(fetch, .held(objection, version: version), moment)
            }
            return finish(fetch, .rejected(error), moment)
        case .document(let fetched): return decide(fetch, fetched, moment)
        case .notModified:
            // Only another document replaces a held one.
            if let held = fetch.held ?? (isCurrent ? heldState.document : nil), held.validators == fetch.validators {
                return finish(fetch, held.outcome, moment)
            }
            // The document was lost: a switch to another user and back did not find it in the cache.
            if isCurrent, fetch.validators != activeValidators { return [.fetch(nextFetch)] }
            return finish(fetch, .notModified, moment)
        }
    }

    /// Decides on a document that was fetched: it is applied, held back, or nothing new.
    private mutating func decide(_ fetch: Fetch, _ fetched: FetchedConfiguration, _ moment: Moment) -> [Action] {
        let (document, isCurrent) = (fetched.document, isCurrent(fetch.url))
        let decision = VersionDecision(
            on: document, over: isCurrent ? active?.versions(for: fetch.url) : nil,
            defaultVersion: settings.defaultVersion, objection: fetched.review.objection)
        // An old document that comes with a signal is no evidence of the one that the source serves.
        if isCurrent, !fetch.isSignalled || decision.isNews { heldState = HeldState() }
        switch decision {
        case .stale(let newest):
            return finish(fetch, .stale(version: document.version, newest: newest), moment)
        case .held(let objection):
            let outcome = ConfigurationOutcome.held(objection, version: document.version)
            if isCurrent { hold(document, fetched.source.validators, outcome, objection.kind) }
            return finish(fetch, outcome, moment)
        case .unchanged(let isOtherContent):
            // The same document under a new tag: the next fetch may ask by it.
            if isCurrent, active?.document?.digest == document.digest {
                activeState.configuration = active?.with(fetched.source.validators)
            }
            let outcome = ConfigurationOutcome.unchanged(version: document.version, isOtherContent: isOtherContent)
            return finish(fetch, outcome, moment)
        case .apply:
            let configuration = ActiveConfiguration(
                .fetched, document, fetched.source.bytes, fetched.source.validators, url: fetch.url, at: moment.time)
            guard isCurrent else { return keep(configuration, fetch, fetched.source, moment) }
            return apply(configuration, .document(configuration, fetch, fetched), watch: .begins)
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

    /// Caches a document that came after a switch to another user, for the user that it was fetched for.
    private mutating func keep(
        _ configuration: ActiveConfiguration, _ fetch: Fetch, _ source: FetchedDocument, _ moment: Moment
    ) -> [Action] {
        guard let version = configuration.version else { return [] }
        let reason = "it came after a switch to another user, and is kept for the user it was asked for"
        return [cache(configuration, source, previous: nil)]
            + finish(fetch, .held(version: version, reason: reason), moment)
    }

    func cache(
        _ configuration: ActiveConfiguration, _ source: FetchedDocument, previous: ActiveConfiguration?
    ) -> Action {
        let unproven = canary.flatMap { $0.url == configuration.url ? $0.monitor.version : nil }
        return .cache(configuration, source.headers, previous: previous, unproven: unproven)
    }
}
