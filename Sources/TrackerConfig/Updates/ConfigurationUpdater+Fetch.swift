import TrackerFeatures

extension ConfigurationUpdater {
    /// Fetches from the source, and handles its response.
    func fetch(_ fetch: Lifecycle.Fetch) async {
        let answer = await answer(to: fetch)
        run { $0.fetched(fetch, answer, $1) }
    }

    private func answer(to fetch: Lifecycle.Fetch) async -> Lifecycle.FetchResponse {
        // The lifecycle answers the callers.
        guard !isStopped else { return .notModified }
        do throws(FetchError) {
            guard let fetched = try await parts.source.fetch(fetch.validators) else { return .notModified }
            return verified(fetched)
        } catch {
            return .failed(error)
        }
    }

    private func verified(_ fetched: FetchedDocument) -> Lifecycle.FetchResponse {
        do throws(ConfigurationError) {
            try Verification(parts.remote).check(fetched.bytes, fetched.headers)
            // A server without validators returns the same bytes at each fetch.
            if let active = lifecycle.active, let document = active.document, active.text == fetched.bytes {
                return .document(reviewed(document, fetched))
            }
            let document: Document
            do throws(ConfigurationError) {
                document = try Document(fetched.bytes)
            } catch {
                throw fetched.fault(error)
            }
            try parts.collectors.check(document, fetched.bytes)
            return .document(reviewed(document, fetched))
        } catch {
            return .rejected(error)
        }
    }

    /// Returns a document with the inputs of the decision besides its version.
    private func reviewed(_ document: Document, _ source: FetchedDocument) -> Lifecycle.FetchedConfiguration {
        // Records of other processes matter even if the document is the active one.
        parts.history.refresh()
        let objection = parts.history.objection(to: document, hasOther: lifecycle.active != nil)
        parts.warnings.note(parts.history.takeWarnings())
        let canRollBack = document.rollout != nil && parts.registry.hasTrackers(with: lifecycle.rollbackTarget)
        let review = Lifecycle.Review(objection: objection, canRollBack: canRollBack)
        return Lifecycle.FetchedConfiguration(document: document, source: source, review: review)
    }
}
