/// Where documents come from. Two implementations: ``HTTPSource`` and ``FileSource``; implement your own to keep the document
/// elsewhere.
public protocol ConfigurationSource: Sendable {
    /// Fetches the document.
    /// - Parameter validators: Of the document that is in use, where it came from here; nil asks unconditionally.
    /// - Returns: The document, or that it has not changed.
    /// - Throws: ``FetchError`` if neither came.
    func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchResult
}
