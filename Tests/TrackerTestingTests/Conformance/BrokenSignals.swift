import TrackerConfig
import TrackerCore
import TrackerTesting

/// A source that keeps all promises but one of its signals.
final class BrokenSignals: ConfigurationSource {
    /// The promise that is broken, as the check words it.
    enum Defect: String, CaseIterable, Sendable {
        case startsSilently = "a connection yields `connected` first"
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
        var number = 0
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
        case .neverSignals: break
        case .stopsAtRemoval where state.withLock({ $0.wasRemoved }): break
        case .sendsOtherDocument where inner.connectionsOpened > 1:
            inner.signal(.document(FetchedDocument(document + [0])))
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
        case .staysConnected where inner.connectionsOpened > 0:
            // As a server that allows one connection, which was never closed.
            return AsyncStream { _ in }
        case .startsSilently:
            guard let signals = inner.signals() else { return nil }
            let (rest, continuation) = AsyncStream.makeStream(of: SourceSignal.self)
            let task = Task {
                for await signal in signals where signal.kind != .connected { continuation.yield(signal) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
            return rest
        default: return inner.signals()
        }
    }
}
