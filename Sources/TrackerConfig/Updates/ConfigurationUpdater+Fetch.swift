import TrackerFeatures

extension ConfigurationUpdater {
    /// Fetches from the source, and handles its response.
    func fetch(_ validators: DocumentValidators?) async {
        let answer = await answer(validators)
        run { $0.fetched(answer, $1) }
    }

    private func answer(_ validators: DocumentValidators?) async -> Lifecycle.Answer {
        // The lifecycle answers the callers.
        guard !isStopped else { return .notModified }
        do throws(FetchError) {
            guard let fetched = try await parts.source.fetch(validators) else { return .notModified }
            return verified(fetched)
        } catch {
            return .failed(error)
        }
    }

    private func verified(_ fetched: FetchedDocument) -> Lifecycle.Answer {
        do throws(ConfigurationError) {
            try parts.remote.check(fetched.bytes, fetched.headers)
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
    private func reviewed(_ document: Document, _ source: FetchedDocument) -> Lifecycle.ReviewedDocument {
        // Records of other processes matter even if the document is the active one.
        parts.versions.refresh()
        let holdReason = parts.versions.holdReason(for: document, hasOther: lifecycle.active != nil)
        parts.warnings.note(parts.versions.takeWarnings())
        let canRollBack = document.rollout != nil && parts.registry.hasTrackers(with: lifecycle.rollbackTarget)
        return Lifecycle.ReviewedDocument(document, source, holdReason: holdReason, canRollBack: canRollBack)
    }
}
