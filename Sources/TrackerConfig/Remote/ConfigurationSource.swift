/// Where documents come from. Two implementations: ``HTTPSource`` and ``FileSource``; bring your own to keep the document
/// elsewhere.
public protocol ConfigurationSource: Sendable {
    /// Fetches the document.
    /// - Parameter validators: Of the document that is in use, where it came from here; nil asks unconditionally.
    /// - Returns: The document, or that it has not changed.
    /// - Throws: ``FetchError`` where neither came.
    func fetch(_ validators: Validators?) async throws(FetchError) -> FetchResult
}

/// By what a source knows whether a document has changed.
public struct Validators: Sendable, Hashable {
    /// The `ETag` of the answer.
    public var entityTag: String?

    /// The `Last-Modified` of the answer.
    public var lastModified: String?

    /// Creates validators.
    /// - Parameters:
    ///   - entityTag: The `ETag` of the answer.
    ///   - lastModified: The `Last-Modified` of the answer.
    public init(entityTag: String? = nil, lastModified: String? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}

/// What a source answers.
public enum FetchResult: Sendable {
    /// The document is the one of the validators.
    case notModified
    /// The document's bytes as they are, and its validators.
    case document([UInt8], Validators)
}

/// Why no document came.
public struct FetchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The server answered with another status than 200 and 304.
        case status(Int)
        /// The time was over.
        case timeout
        /// The document is larger than allowed.
        case tooLarge
        /// More redirects than allowed, or one that must not be followed.
        case redirect
        /// The file cannot be read.
        case file
        /// The setup was shut down.
        case shutDown
        /// Anything else on the way: no connection, no name, a broken answer.
        case transport
    }

    /// The kind of failure.
    public let code: Code

    /// What happened, as a sentence.
    public let reason: String

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - reason: What happened, as a sentence.
    public init(_ code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// What happened, as a sentence.
    public var description: String { reason }
}
