import TrackerConfig
import TrackerFeatures
import TrackerTesting

/// A source that keeps all promises but one of its hints. Where none comes the connection ends, so that no check waits for one.
final class BrokenChanges: ConfigurationSource {
    /// The promise that is broken, as the check words it.
    enum Defect: String, CaseIterable, Sendable {
        case startsLate = "a connection yields a first hint"
        case hintsOnce = "a connection yields a hint after a publication, also the second connection"
        case fetchesLate = "a fetch after a hint returns the new document"
        case staysConnected = "a connection opens after the one before was closed"
    }

    private let defect: Defect
    private let inner = MemorySource("")
    private let fetched = Locked<[UInt8]?>(nil)

    init(_ defect: Defect) {
        self.defect = defect
        inner.streams = true
    }

    func publish(_ document: [UInt8]?) {
        guard let document else { return inner.fail(FetchError(.status, reason: "there is none", status: 404)) }
        inner.publish(String(decoding: document, as: UTF8.self))
        if defect == .hintsOnce, inner.connectionsOpened > 1 { inner.disconnect() } else { inner.hint(ChangeHint()) }
    }

    func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument? {
        guard let document = try await inner.fetch(validators) else { return nil }
        let isLate = defect == .fetchesLate && inner.connectionsOpened > 0
        let old = fetched.withLock { fetched in
            defer { if !isLate { fetched = document.bytes } }
            return fetched
        }
        return isLate ? old.map { FetchedDocument($0) } : document
    }

    func changes() -> AsyncThrowingStream<ChangeHint, any Error>? {
        switch defect {
        // As a server that allows one connection, which was never closed.
        case .staysConnected where inner.connectionsOpened > 0: return AsyncThrowingStream { $0.finish() }
        // Ends before it is open, and then not any more.
        case .startsLate where inner.connectionsOpened == 0:
            _ = inner.changes()
            return AsyncThrowingStream { $0.finish() }
        default: return inner.changes()
        }
    }
}
