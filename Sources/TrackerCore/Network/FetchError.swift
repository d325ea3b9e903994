/// Why no document came.
public struct FetchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; later versions may have more.
    public typealias Code = NamedCode<FetchError>

    /// The kind of failure.
    public let code: Code

    /// What happened, as a sentence.
    public let reason: String

    /// How long the server asks to wait (`Retry-After`), nil if it does not say.
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

    /// The setup was shut down, or the task cancelled.
    public static var shutDown: Self { Self(rawValue: "shutDown") }

    /// Anything else on the way: no connection, no name, a broken answer.
    public static var transport: Self { Self(rawValue: "transport") }
}
