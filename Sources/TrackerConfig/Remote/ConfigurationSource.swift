/// Where documents come from. Two implementations: ``HTTPSource`` and ``FileSource``; bring your own to keep the document
/// elsewhere.
public protocol ConfigurationSource: Sendable {
    /// Fetches the document.
    /// - Parameter validators: Of the document that is in use, where it came from here; nil asks unconditionally.
    /// - Returns: The document, or that it has not changed.
    /// - Throws: ``FetchError`` where neither came.
    func fetch(_ validators: DocumentValidators?) async throws(FetchError) -> FetchResult
}

/// By what a source knows whether a document has changed.
public struct DocumentValidators: Sendable, Hashable {
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
@nonexhaustive
public enum FetchResult: Sendable {
    /// The document is the one of the validators.
    case notModified
    /// Another document.
    case document(FetchedDocument)
}

/// A document as a source gives it.
public struct FetchedDocument: Sendable {
    /// The bytes, decompressed.
    public var bytes: [UInt8]

    /// By what the source knows whether it has changed.
    public var validators: DocumentValidators

    /// The headers of the answer, for ``RemoteConfiguration/verify``.
    public var headers: [HTTPHeader]

    /// Creates a document.
    /// - Parameters:
    ///   - bytes: The bytes, decompressed.
    ///   - validators: By what the source knows whether it has changed.
    ///   - headers: The headers of the answer.
    public init(_ bytes: [UInt8], validators: DocumentValidators = DocumentValidators(), headers: [HTTPHeader] = []) {
        self.bytes = bytes
        self.validators = validators
        self.headers = headers
    }
}

/// Why no document came.
public struct FetchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; later versions may have more.
    public typealias Code = NamedCode<FetchError>

    /// The kind of failure.
    public let code: Code

    /// What happened, as a sentence.
    public let reason: String

    /// How long the server asks to wait (`Retry-After`), nil where it does not say.
    public let retryAfter: Duration?

    /// The status of the answer; nil without an answer.
    public let status: Int?

    /// The error that led to this one, if there is one. It does not count when errors are compared.
    public var cause: (any Error)? { underlying.error }

    private let underlying: ErrorCause

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - reason: What happened, as a sentence.
    ///   - retryAfter: How long the server asks to wait.
    ///   - status: The status of the answer.
    ///   - cause: The error that led to this one.
    public init(
        _ code: Code, reason: String, retryAfter: Duration? = nil, status: Int? = nil, cause: (any Error)? = nil
    ) {
        self.code = code
        self.reason = reason
        self.retryAfter = retryAfter
        self.status = status
        underlying = ErrorCause(cause)
    }

    /// What happened, as a sentence.
    public var description: String { reason }
}

/// The kinds of error.
extension NamedCode<FetchError> {
    /// The server answered with a status other than 200 and 304; see ``FetchError/status``.
    public static var status: Self { Self(rawValue: "status") }

    /// The time was over.
    public static var timeout: Self { Self(rawValue: "timeout") }

    /// The document is larger than allowed.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }

    /// More redirects than allowed, or one that must not be followed.
    public static var redirect: Self { Self(rawValue: "redirect") }

    /// The file cannot be read.
    public static var file: Self { Self(rawValue: "file") }

    /// The setup was shut down.
    public static var shutDown: Self { Self(rawValue: "shutDown") }

    /// Anything else on the way: no connection, no name, a broken answer.
    public static var transport: Self { Self(rawValue: "transport") }
}
