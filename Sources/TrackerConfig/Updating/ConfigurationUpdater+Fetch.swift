extension ConfigurationUpdater {
    /// Whether a scope's document is the one that the current user is to have.
    func isCurrent(_ scope: UserScope) -> Bool { scope.url == self.scope.url }

    /// Fetches a user's document and applies it; where there is another user by then, it is kept for that user.
    func fetchAndApply(_ scope: UserScope) async -> Use {
        let shutDown = ConfigurationOutcome.failed(FetchError(.shutDown, reason: "the setup was shut down"))
        guard !isStopped else { return Use(shutDown) }
        let heldBefore = isCurrent(scope) ? held : nil
        let validators = heldBefore?.validators ?? validators(of: scope)
        let result: FetchResult
        do throws(FetchError) {
            result = try await scope.source.fetch(validators)
        } catch {
            return Use(isStopped ? shutDown : .failed(error))
        }
        switch result {
        case .notModified:
            // What was held is held still: only another document changes that.
            let heldNow = isCurrent(scope) ? held : nil
            if let held = heldBefore ?? heldNow, held.validators == validators { return held.use }
            // What has not changed was lost, where a switch to another user and back did not find it in the cache.
            if isCurrent(scope), validators != self.validators(of: scope) { return await fetchAndApply(scope) }
            return Use(.notModified)
        case .document(let fetched):
            do throws(ConfigurationError) {
                let document = try verified(fetched, for: scope)
                let before = await steadyObservations(for: document)
                guard !isStopped else { return Use(shutDown) }
                guard isCurrent(scope) else { return keep(document, fetched, for: scope) }
                return try use(document, fetched, before: before)
            } catch {
                return Use(.rejected(error))
            }
        }
    }

    /// By what a source knows whether its document is the one in use; those of another URL's document say nothing.
    private func validators(of scope: UserScope) -> Validators? {
        active?.url == scope.url ? active?.validators : nil
    }

    private func verified(
        _ fetched: FetchedDocument, for scope: UserScope
    ) throws(ConfigurationError) -> Document {
        try parts.scopes.verification.check(fetched.bytes, fetched.headers)
        // A server without validators sends the same bytes again and again.
        if let active, active.url == scope.url, let document = active.document, active.text == fetched.bytes {
            return document
        }
        let document = try Document(fetched.bytes)
        try parts.collectors.check(document, fetched.bytes)
        return document
    }

    /// The trackers of one user, not of two.
    private func steadyObservations(for document: Document) async -> [String: CanaryMonitor.Observation] {
        while true {
            let count = switches
            let observations = await observations(for: document)
            if count == switches { return observations }
        }
    }

    /// Keeps a document that came after a switch to another user, for the user it was asked for.
    private func keep(
        _ document: Document, _ fetched: FetchedDocument, for scope: UserScope
    ) -> Use {
        let version = document.version
        let versions: VersionGuard
        if let known = guards.known(scope.url) {
            versions = known
        } else {
            var looking = parts.scopes.versions(of: scope.url, watches: false)
            note(looking.takeWarnings())
            versions = looking
        }
        // What would never be used must not come to be used from the cache.
        let decision = VersionDecision.judge(
            version: document.documentVersion, digest: document.digest, active: nil,
            defaultVersion: scope.chain.defaultVersion, floor: versions.floor
        ) { versions.objection(to: document, hasOther: true) }
        switch decision {
        case .stale: return Use(.stale(version: version))
        case .unchanged(let isOtherContent): return Use(.unchanged(version: version, isOtherContent: isOtherContent))
        case .held(let objection): return Use(objection, version: version)
        case .apply:
            let configuration = ActiveConfiguration(
                .fetched, document, fetched.bytes, fetched.validators, url: scope.url, at: parts.time.wallTime)
            cache(configuration, fetched.headers, after: nil, versions)
            let reason = "it came after a switch to another user, and is kept for the user it was asked for"
            return Use(.held(version: version, reason: reason))
        }
    }
}
