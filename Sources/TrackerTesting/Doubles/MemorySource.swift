public import TrackerFeatures

/// A source whose document and hints are set by a test.
///
/// ```swift
/// let source = MemorySource(document)
/// source.streams = true
/// var options = SetupOptions()
/// options.source = source
/// source.publish(second)
/// source.hint(ChangeHint(version: 2))
/// source.disconnect(FetchError(.transport, reason: "the connection was reset"))
/// source.fail(FetchError(.status, reason: "the server answered 503", status: 503))
/// ```
public final class MemorySource: ConfigurationSource {
    private struct State: Sendable {
        var document: [UInt8]
        /// The number of the publication, used as the document's validator.
        var number = 1
        var error: FetchError?
        var streams = false
        var connectionsOpened = 0
        /// The open connections, by their numbers.
        var connections: [Int: AsyncThrowingStream<ChangeHint, any Error>.Continuation] = [:]
    }

    private let state: Locked<State>

    /// Creates a source.
    /// - Parameter document: The text of the document.
    public init(_ document: String) {
        state = Locked(State(document: Array(document.utf8)))
    }

    /// Replaces the document, and lets fetches succeed again.
    /// - Parameter document: The text of the new document.
    public func publish(_ document: String) {
        publish(Array(document.utf8))
    }

    package func publish(_ document: [UInt8]) {
        state.withLock { state in
            state.document = document
            state.number += 1
            state.error = nil
        }
    }

    /// Lets all fetches fail until a document is published.
    /// - Parameter error: The error that they throw.
    public func fail(_ error: FetchError) {
        state.withLock { $0.error = error }
    }

    /// Returns the document.
    /// - Parameter validators: The validators of the document in use; nil returns the document in any case.
    /// - Returns: The document; nil if it has not changed.
    /// - Throws: The error of ``fail(_:)``.
    public func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument? {
        let state = state.withLock { $0 }
        if let error = state.error { throw error }
        let current = DocumentValidators(entityTag: "\(state.number)")
        if validators == current { return nil }
        return FetchedDocument(state.document, validators: current)
    }

    /// Whether the source sends hints; false by default. A change applies from the next call of ``changes()``; open
    /// connections stay open.
    public var streams: Bool {
        get { state.withLock { $0.streams } }
        set { state.withLock { $0.streams = newValue } }
    }

    /// The number of connections that are open.
    public var openConnections: Int { state.withLock { $0.connections.count } }

    /// The number of connections opened since the source was created, including open ones.
    public var connectionsOpened: Int { state.withLock { $0.connectionsOpened } }

    /// Opens a connection, which yields the first hint at once.
    /// - Returns: The hints; nil unless ``streams`` is true.
    public func changes() -> AsyncThrowingStream<ChangeHint, any Error>? {
        state.withLock { state in
            guard state.streams else { return nil }
            state.connectionsOpened += 1
            let number = state.connectionsOpened
            return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { connection in
                state.connections[number] = connection
                connection.onTermination = { [weak self] _ in
                    self?.state.discard { $0.connections.removeValue(forKey: number) }
                }
                connection.yield(ChangeHint())
            }
        }
    }

    /// Yields a hint on all open connections. It replaces a hint that has not been read yet.
    /// - Parameter hint: The hint.
    public func hint(_ hint: ChangeHint) {
        for connection in state.withLock({ $0.connections }).values { connection.yield(hint) }
    }

    /// Closes all open connections, as a server does.
    /// - Parameter failure: The failure of the connections; nil, the default, for none.
    public func disconnect(_ failure: FetchError? = nil) {
        for connection in state.withLock({ $0.connections }).values { connection.finish(throwing: failure) }
    }
}
