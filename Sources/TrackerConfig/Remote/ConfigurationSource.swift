/// The source of documents. ``HTTPSource`` and one for `file:` URLs are built in; conform your own type to keep the document
/// elsewhere.
public protocol ConfigurationSource: Sendable {
    /// Fetches the document.
    /// - Parameter validators: The validators of the document in use, if it came from this source; nil fetches the
    ///   document in any case.
    /// - Returns: The document; nil if it has not changed.
    /// - Throws: ``FetchError`` if there is neither.
    func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument?

    /// Opens a connection over which the source says that the document has changed.
    ///
    /// The stream is one connection: it yields ``SourceSignal/connected`` once it is open, then signals, and ends when the
    /// connection ends, with ``SourceSignal/disconnected(_:)`` before that if it failed. The setup opens the next one, after a
    /// pause that grows with each failure, and closes one by ending the iteration. A connection that may be dead without an
    /// error must end by itself after a time without any data. What it yields is a hint and never the truth: polls go
    /// on, and bound how late a document can be. A source that wraps another one passes its signals on.
    /// - Returns: The signals; nil if the source has none, or none yet. The setup asks again after each fetch that succeeds.
    func signals() -> AsyncStream<SourceSignal>?
}

extension ConfigurationSource {
    /// No signals.
    public func signals() -> AsyncStream<SourceSignal>? { nil }
}
