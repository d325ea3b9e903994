import Synchronization
package import TrackerConfig
import TrackerFeatures

/// A source in memory: it answers with what it was given, or that nothing has changed.
package final class MemorySource: ConfigurationSource {
    private struct State {
        var document: [UInt8]?
        var number = 0
    }

    private let state = Mutex(State())

    package init(_ document: [UInt8]? = nil) {
        state.withLock { $0.document = document }
    }

    /// Puts another document in place, which is given once.
    package func serve(_ document: [UInt8]) {
        state.withLock { state in
            state.document = document
            state.number += 1
        }
    }

    package func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument? {
        let (document, number) = state.withLock { state in
            defer { state.document = nil }
            return (state.document, state.number)
        }
        guard let document else { return nil }
        return FetchedDocument(document, validators: DocumentValidators(entityTag: "\"\(number)\""))
    }
}
