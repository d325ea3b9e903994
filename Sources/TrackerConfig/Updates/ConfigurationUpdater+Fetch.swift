extension ConfigurationUpdater {
    /// Begins a fetch of the current user's document.
    func begin(_ fetch: Lifecycle.Fetch) {
        fetches[fetch.url] = Task.unbound { [source = lifecycle.documents.source] in
            let answer = await answer(to: fetch, of: source)
            if case .document(let fetched) = answer {
                review(fetch, fetched)
            } else {
                handle(.fetched(fetch, answer))
            }
        }
    }

    /// Begins to decide on a document that came with a signal.
    func adopt(_ fetch: Lifecycle.Fetch, _ fetched: FetchedDocument) {
        adoption = Task.unbound {
            let answer = verified(fetched, from: fetch.url)
            if case .document(let fetched) = answer {
                review(fetch, fetched)
            } else {
                handle(.fetched(fetch, answer))
            }
        }
    }

    private func review(_ fetch: Lifecycle.Fetch, _ fetched: Lifecycle.FetchedConfiguration) {
        // What other processes left counts, also if the document is the active one.
        if lifecycle.isCurrent(fetch.url) { lifecycle.documents.own.refresh() }
        var fetched = fetched
        fetched.review = path.review(fetched.document, from: fetch.url)
        handle(.fetched(fetch, .document(fetched)))
    }

    private func answer(
        to fetch: Lifecycle.Fetch, of source: any ConfigurationSource
    ) async -> Lifecycle.FetchResponse {
        // The lifecycle answers the callers.
        guard !isStopped else { return .notModified }
        do throws(FetchError) {
            guard let fetched = try await source.fetch(fetch.validators) else { return .notModified }
            return verified(fetched, from: fetch.url)
        } catch {
            return .failed(error)
        }
    }

    private func verified(_ fetched: FetchedDocument, from url: String) -> Lifecycle.FetchResponse {
        do throws(ConfigurationError) {
            try parts.repository.verification.check(fetched.bytes, fetched.headers)
            // A server without validators sends the same bytes at each fetch.
            if let active = lifecycle.active, active.url == url, let document = active.document,
                active.text == fetched.bytes
            {
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
