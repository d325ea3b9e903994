/// A source of documents. Sources for web servers and for `file:` URLs are built in; conform your own type to store the
/// document elsewhere. Such a type imports TrackerFeatures, which declares the protocol.
public protocol ConfigurationSource: Sendable {
    /// Fetches the document.
    /// - Parameter validators: The validators of the document in use, if it came from this source; nil fetches the
    ///   document in any case.
    /// - Returns: The document; nil if it has not changed.
    /// - Throws: ``FetchError`` if the fetch fails.
    func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument?

    /// Opens a connection over which the source hints at changes of the document.
    ///
    /// The stream is one connection: the first element confirms that it is open, each later element is a hint that the
    /// document may have changed, and the stream ends or throws when the connection ends. The setup opens the next
    /// connection after a pause that grows with each failure, and closes a connection by ending the iteration. Use
    /// `bufferingNewest(1)`: only the newest hint matters. A connection that may die without an error must end by
    /// itself after a time without data. Polling continues, and bounds the delay of a document. A source that wraps
    /// another one returns that one's stream.
    ///
    /// If the stream throws a ``FetchError``, its ``FetchError/retryAfter`` is honoured. After a status of 204 or 4xx,
    /// except for 408 and 429, a setup that polls opens no connection until a fetch has succeeded.
    /// - Returns: The hints; nil if the source can only be polled. The setup calls it again after each successful
    ///   fetch.
    func changes() -> AsyncThrowingStream<ChangeHint, any Error>?
}

extension ConfigurationSource {
    /// No hints.
    public func changes() -> AsyncThrowingStream<ChangeHint, any Error>? { nil }
}
