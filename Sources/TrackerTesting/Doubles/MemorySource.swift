public import TrackerConfig

/// A source whose document a test sets.
///
/// ```swift
/// let source = MemorySource(document)
/// var options = SetupOptions()
/// options.source = source
/// source.fail(FetchError(.status, reason: "the server answered 503", status: 503))
/// ```
public final class MemorySource: ConfigurationSource {
    private struct State: Sendable {
        var document: [UInt8]
        /// The number of the publication, which is the document's validator.
        var number = 1
        var error: FetchError?
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
    /// - Parameter validators: Of the document that is in use; nil returns the document in any case.
    /// - Returns: The document; nil if it has not changed.
    /// - Throws: The error of ``fail(_:)``.
    public func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument? {
        let state = state.withLock { $0 }
        if let error = state.error { throw error }
        let current = DocumentValidators(entityTag: "\(state.number)")
        if validators == current { return nil }
        return FetchedDocument(state.document, validators: current)
    }
}
