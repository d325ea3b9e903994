import TrackerFeatures

extension ConfigurationLifecycle {
    /// A fetched document that is held back.
    struct Held: Sendable {
        var outcome: ConfigurationOutcome?
        /// The validators with which a conditional request asks for it; nil if it has none, or must be retried.
        var validators: DocumentValidators?
        /// Its rollout, if it has one.
        var rollout: (version: Int, rollout: Rollout)?

        /// Whether it was reverted.
        var isReverted: Bool { outcome?.holdReason?.kind == .reverted }
    }

    /// Decides whether a fetched document is applied, held back, or ignored.
    mutating func decide(_ reviewed: ReviewedDocument, _ host: some LifecycleHost) {
        let document = reviewed.document
        let decision = VersionDecision(
            on: document, over: active.map { ($0.version, $0.document?.digest) },
            defaultVersion: settings.defaultVersion, holdReason: reviewed.holdReason)
        held = Held()
        switch decision {
        case .stale(let newest): finish(.stale(version: document.version, newest: newest), host)
        case .held(let reason):
            let outcome = ConfigurationOutcome.held(reason, version: document.version)
            hold(document, reviewed.source.validators, outcome)
            finish(outcome, host)
        case .unchanged(let isOtherContent):
            // The same document with a new tag, which the next fetch can use.
            if active?.document?.digest == document.digest { active = active?.with(reviewed.source.validators) }
            finish(.unchanged(version: document.version, isOtherContent: isOtherContent), host)
        case .apply: apply(reviewed, host)
        }
    }

    /// Holds a document back until the source serves another one.
    mutating func hold(_ document: Document, _ validators: DocumentValidators?, _ outcome: ConfigurationOutcome) {
        held = Held(outcome: outcome, rollout: document.offer)
        // A version that is retried after a time must not be requested conditionally.
        if outcome.holdReason?.kind != .crashes, validators != DocumentValidators() { held.validators = validators }
    }
}
