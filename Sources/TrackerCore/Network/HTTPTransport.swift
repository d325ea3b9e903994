/// Moves requests and answers; implement your own to use another HTTP client.
///
/// A transport never follows redirects, never tries again, and stops when its task is cancelled.
public protocol HTTPTransport: Sendable {
    /// Sends a request and waits for the whole answer, whatever its status.
    /// - Parameter request: What to send.
    /// - Returns: The answer.
    /// - Throws: ``HTTPTransportError`` where no whole answer came.
    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse
}

/// Why no whole answer came.
public struct HTTPTransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; later versions may have more.
    public typealias Code = NamedCode<HTTPTransportError>

    /// The kind of failure.
    public let code: Code

    /// What happened, as a sentence.
    public let reason: String

    /// The status of the answer, where its head came before the failure.
    public let status: Int?

    /// The error that led to this one, if there is one. It does not count when errors are compared.
    public var cause: (any Error)? { underlying.error }

    private let underlying: ErrorCause

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - reason: What happened, as a sentence.
    ///   - status: The status of the answer, where its head came before the failure.
    ///   - cause: The error that led to this one.
    public init(_ code: Code, reason: String, status: Int? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.status = status
        underlying = ErrorCause(cause)
    }

    /// What happened, as a sentence.
    public var description: String { reason }
}

/// The kinds of error.
extension NamedCode<HTTPTransportError> {
    /// The request's time was over.
    public static var timeout: Self { Self(rawValue: "timeout") }

    /// The answer was larger than the request allows.
    public static var responseTooLarge: Self { Self(rawValue: "responseTooLarge") }

    /// The task was cancelled or the transport shut down.
    public static var cancelled: Self { Self(rawValue: "cancelled") }

    /// Anything else: no connection, no name, a broken answer.
    public static var failed: Self { Self(rawValue: "failed") }
}
