import TrackerConfig
import TrackerCore
import TrackerTesting

/// A source that keeps all promises but one of its signals. Where none comes the connection ends, so that no check waits for one.
final class BrokenSignals: ConfigurationSource {
    /// The promise that is broken, as the check words it.
    enum Defect: String, CaseIterable, Sendable {
        case startsOtherwise = "a connection yields `connected` first"
        case neverSignals = "a connection yields `changed`, or the document itself, after a publication"
        case sendsOtherDocument =
            "a connection yields `changed`, or the document itself, after a publication, also the second connection"
        case fetchesLate = "a fetch after a signal returns the new document"
        case opensOnce = "a source that had signals still has them after a connection was closed"
        case staysConnected = "a connection opens after the one before was closed"
        case stopsAtRemoval = "signals go on after the document was removed and published again"
    }

    private struct State: Sendable {
        var fetched: [UInt8]?
        var wasRemoved = false
    }

    private let defect: Defect
    private let inner = MemorySource("")
    private let state = Locked(State())

    init(_ defect: Defect) {
        self.defect = defect
        inner.streams = true
    }

    func publish(_ document: [UInt8]?) {
        guard let document else {
            inner.fail(FetchError(.status, reason: "there is none", status: 404))
            return state.withLock { $0.wasRemoved = inner.connectionsOpened > 0 }
        }
        inner.publish(String(decoding: document, as: UTF8.self))
        switch defect {
        case .neverSignals: inner.disconnect()
        case .stopsAtRemoval where state.withLock({ $0.wasRemoved }): inner.disconnect()
        case .sendsOtherDocument where inner.connectionsOpened > 1:
            inner.signal(.document(FetchedDocument(document + [0])))
            inner.disconnect()
        default: inner.signal(.changed())
        }
    }

    func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument? {
        guard let document = try await inner.fetch(validators) else { return nil }
        let isLate = defect == .fetchesLate && inner.connectionsOpened > 0
        let old = state.withLock { state in
            defer { if !isLate { state.fetched = document.bytes } }
            return state.fetched
        }
        return isLate ? old.map { FetchedDocument($0) } : document
    }

    func signals() -> AsyncStream<SourceSignal>? {
        switch defect {
        case .opensOnce where inner.connectionsOpened > 0: return nil
        case .stopsAtRemoval where state.withLock({ $0.wasRemoved }): return nil
        // As a server that allows one connection, which was never closed.
        case .staysConnected where inner.connectionsOpened > 0: return AsyncStream { $0.finish() }
        case .startsOtherwise:
            guard let signals = inner.signals() else { return nil }
            return AsyncStream(unfolding: {
                let signal = await signals.first { _ in true }
                return signal?.kind == .connected ? SourceSignal.changed() : signal
            })
        default: return inner.signals()
        }
    }
}
