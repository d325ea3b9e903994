extension ConfigurationUpdater {
    /// Begins a fetch.
    func begin(_ fetch: Lifecycle.Fetch) {
        self.fetch = Task.unbound {
            let answer = await answer(to: fetch)
            if case .document(let fetched) = answer {
                review(fetch, fetched)
            } else {
                handle(.fetched(fetch, answer))
            }
        }
    }

    private func review(_ fetch: Lifecycle.Fetch, _ fetched: Lifecycle.FetchedConfiguration) {
        // What other processes left counts, also if the document is the active one.
        parts.history.refresh()
        var fetched = fetched
        fetched.review = path.review(fetched.document)
        handle(.fetched(fetch, .document(fetched)))
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
            // A server without validators sends the same bytes at each fetch.
            if let active = lifecycle.active, let document = active.document, active.text == fetched.bytes {
                return .document(Lifecycle.FetchedConfiguration(document: document, source: fetched))
            }
            let document: Document
            do throws(ConfigurationError) {
                document = try Document(fetched.bytes)
            } catch {
                throw fetched.fault(error)
            }
            try parts.collectors.check(document, fetched.bytes)
            return .document(Lifecycle.FetchedConfiguration(document: document, source: fetched))
        } catch {
            return .rejected(error)
        }
    }
}
