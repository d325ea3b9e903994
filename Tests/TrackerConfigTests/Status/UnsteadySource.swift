import TrackerFeatures
import TrackerTesting

/// A source whose stream a test can cut and refuse.
final class UnsteadySource: ConfigurationSource {
    let memory: MemorySource
    private let refusal = Locked<FetchError?>(nil)

    init(_ document: String) {
        memory = MemorySource(document)
    }

    /// Ends the connection by a failure, by which all others fail too from then on; nil lets them be opened.
    func refuse(_ failure: FetchError?) {
        refusal.withLock { $0 = failure }
        if let failure { memory.disconnect(failure) }
    }

    func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument? {
        try await memory.fetch(validators)
    }

    func changes() -> AsyncThrowingStream<ChangeHint, any Error>? {
        guard let failure = refusal.withLock({ $0 }) else { return memory.changes() }
        return AsyncThrowingStream { $0.finish(throwing: failure) }
    }
}
