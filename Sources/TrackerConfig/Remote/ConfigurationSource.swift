/// The source of documents. ``HTTPSource`` and one for `file:` URLs are built in; conform your own type to keep the document
/// elsewhere.
public protocol ConfigurationSource: Sendable {
    /// Fetches the document.
    /// - Parameter validators: The validators of the document in use, if it came from this source; nil fetches the
    ///   document in any case.
    /// - Returns: The document; nil if it has not changed.
    /// - Throws: ``FetchError`` if there is neither.
    func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchedDocument?
}
