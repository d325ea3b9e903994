/// The source of documents. ``HTTPSource`` and one for `file:` URLs are built in; conform your own type to keep the document
/// elsewhere.
public protocol ConfigurationSource: Sendable {
    /// Fetches the document.
    /// - Parameter validators: The validators of the document in use, if it came from this source; nil fetches the
    ///   document in any case.
    /// - Returns: The document; nil if it has not changed.
    /// - Throws: ``FetchError`` if there is neither.
    func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument?

    /// Opens a connection over which the source hints at changes of the document.
    ///
    /// The stream is one connection: the first element says that it is open, each later one that the document may have changed, and it
    /// ends or throws when the connection ends. The setup opens the next one after a pause that grows with each failure, and closes
    /// one by ending the iteration. Use `bufferingNewest(1)`: only the newest hint matters. A connection that may be dead without an
    /// error must end by itself after a time without any data. Polls go on, and bound how late a document can be. A source that wraps
    /// another one passes its stream on.
    ///
    /// If the stream throws a ``FetchError``, its ``FetchError/retryAfter`` is honoured. After a status of 204 or 4xx, except for 408 and
    /// 429, a setup that polls opens no connection until a fetch has succeeded.
    /// - Returns: The hints; nil if the source is only polled. The setup asks again after each fetch that succeeds.
    func changes() -> AsyncThrowingStream<ChangeHint, any Error>?
}

extension ConfigurationSource {
    /// No hints.
    public func changes() -> AsyncThrowingStream<ChangeHint, any Error>? { nil }
}
