/// A transport of requests and responses. Conform your own type to use another HTTP client.
///
/// A transport never follows redirects, never retries, and stops when its task is cancelled.
public protocol HTTPTransport: Sendable {
    /// Sends a request and waits for the complete response, whatever its status.
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: ``HTTPTransportError`` if no complete response arrived.
    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse
}

/// The error of a request without a complete response.
public struct HTTPTransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public let code: NamedCode<HTTPTransportError>

    /// The description of the failure, as a sentence.
    public let reason: String

    /// The status of the response, if its head arrived before the failure; otherwise nil.
    public let status: Int?

    /// The error that led to this one; nil if there is none. Comparisons of errors ignore it.
    public var cause: (any Error)? { underlying.error }

    private let underlying: ErrorCause

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - reason: The description of the failure, as a sentence.
    ///   - status: The status of the response, if its head arrived before the failure; otherwise nil.
    ///   - cause: The error that led to this one; nil by default.
    public init(_ code: NamedCode<HTTPTransportError>, reason: String, status: Int? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.status = status
        underlying = ErrorCause(cause)
    }

    /// The description of the failure, as a sentence.
    public var description: String { reason }
}

/// The kinds of error.
extension NamedCode<HTTPTransportError> {
    /// The request timed out.
    public static var timeout: Self { Self(rawValue: "timeout") }

    /// The response was larger than the request allows.
    public static var responseTooLarge: Self { Self(rawValue: "responseTooLarge") }

    /// The task was cancelled or the transport shut down.
    public static var cancelled: Self { Self(rawValue: "cancelled") }

    /// Another failure: no connection, an unknown host, or an invalid response.
    public static var failed: Self { Self(rawValue: "failed") }
}
