/// Moves requests and answers; bring your own to use another HTTP client.
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
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The request's time was over.
        public static let timeout = Code(rawValue: "timeout")
        /// The answer was larger than the request allows.
        public static let responseTooLarge = Code(rawValue: "responseTooLarge")
        /// The task was cancelled or the transport shut down.
        public static let cancelled = Code(rawValue: "cancelled")
        /// Anything else: no connection, no name, a broken answer.
        public static let failed = Code(rawValue: "failed")

        /// The code's name.
        public let rawValue: String

        /// Creates a code.
        /// - Parameter rawValue: The code's name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The code's name.
        public var description: String { rawValue }
    }

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
