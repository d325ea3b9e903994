/// A transport of requests and responses. Conform your own type to use another HTTP client.
///
/// A transport never follows redirects, never retries, and stops when its task is cancelled.
public protocol HTTPTransport: Sendable {
    /// Sends a request and waits for the complete response, whatever its status.
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: ``HTTPTransportError`` if no complete response arrived.
    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse

    /// Sends a request, and passes the body on in pieces until the server closes it. The default implementation throws,
    /// because it has no streams; a transport that wraps another one should forward the call.
    /// - Parameters:
    ///   - request: The request. Its timeout covers the whole body, and its maximum response size does not apply.
    ///   - receive: Receives each piece of the body, decompressed, with the head of the response, whatever its status;
    ///     before them an empty piece, as soon as the head has arrived. It must not block. If it returns false, the
    ///     request fails.
    /// - Returns: The response, without the body.
    /// - Throws: ``HTTPTransportError`` if the body is incomplete.
    func stream(
        _ request: HTTPTransportRequest,
        receive: @escaping @Sendable (_ head: HTTPTransportResponse, _ piece: [UInt8]) -> Bool
    ) async throws(HTTPTransportError) -> HTTPTransportResponse
}

extension HTTPTransport {
    /// Throws, because the transport has no streams.
    /// - Parameters:
    ///   - request: The request.
    ///   - receive: Not called.
    /// - Returns: Never.
    /// - Throws: ``HTTPTransportError`` with the type of the transport.
    public func stream(
        _ request: HTTPTransportRequest,
        receive: @escaping @Sendable (_ head: HTTPTransportResponse, _ piece: [UInt8]) -> Bool
    ) async throws(HTTPTransportError) -> HTTPTransportResponse {
        throw HTTPTransportError(.failed, reason: "a transport of the type \(Self.self) has no streams")
    }
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
