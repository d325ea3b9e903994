extension ConfigurationUpdater {
    typealias Lifecycle = ConfigurationLifecycle

    /// Begins a fetch of the current user's document.
    func begin(_ fetch: Lifecycle.Fetch) {
        fetches[fetch.url] = Task.unbound { [source] in
            let answer = await answer(to: fetch, of: source)
            // What other processes left counts, also if the document is the active one.
            if case .document = answer, lifecycle.isCurrent(fetch.url) { guards.own.refresh() }
            handle(.fetched(fetch, answer))
        }
        showStatus()
    }

    private func answer(
        to fetch: Lifecycle.Fetch, of source: any ConfigurationSource
    ) async -> Lifecycle.FetchResponse {
        // The lifecycle answers the callers.
        guard !isStopped else { return .notModified }
        do throws(FetchError) {
            switch try await source.fetch(fetch.validators) {
            case .notModified: return .notModified
            case .document(let fetched): return verified(fetched, from: fetch.url)
            }
        } catch {
            return .failed(error)
        }
    }

    private func verified(_ fetched: FetchedDocument, from url: String) -> Lifecycle.FetchResponse {
        do throws(ConfigurationError) {
            try parts.scopes.verification.check(fetched.bytes, fetched.headers)
            // A server without validators sends the same bytes again and again.
            if let active = lifecycle.active, active.url == url, let document = active.document,
                active.text == fetched.bytes
            {
                return .document(Lifecycle.FetchedConfiguration(document: document, source: fetched))
            }
            let document = try Document(fetched.bytes)
            try parts.collectors.check(document, fetched.bytes)
            return .document(Lifecycle.FetchedConfiguration(document: document, source: fetched))
        } catch {
            return .rejected(error)
        }
    }

    /// Reviews a document; a canary after its trackers were observed.
    func review(_ fetch: Lifecycle.Fetch, _ fetched: Lifecycle.FetchedConfiguration, _ effects: inout Effects) {
        guard fetched.document.rollout != nil else {
            let result = review(of: fetched.document, from: fetch.url, before: [:])
            return process(.reviewed(fetch, fetched, result), &effects)
        }
        fetches[fetch.url] = Task.unbound {
            let before = await observationsBeforeCanary()
            let result = review(of: fetched.document, from: fetch.url, before: before)
            handle(.reviewed(fetch, fetched, result))
        }
    }

    private func review(
        of document: Document, from url: String, before: [ExactText: CanaryMonitor.Observation]
    ) -> Lifecycle.Review {
        let isCurrent = lifecycle.isCurrent(url)
        let versions = versions(of: url)
        let objection = versions.objection(to: document, hasOther: !isCurrent || lifecycle.active != nil)
        note(guards.takeWarnings())
        let canRollBack = document.rollout != nil && hasTrackers(lifecycle.rollbackTarget)
        return Lifecycle.Review(
            floor: versions.floor, objection: objection, before: before, canRollBack: canRollBack)
    }

    /// The guard of a URL's documents; for another user's one that only reads.
    func versions(of url: String) -> VersionGuard {
        if let known = guards.known(url) { return known }
        var reading = parts.scopes.versions(of: url, watches: false)
        note(reading.takeWarnings())
        return reading
    }
}
