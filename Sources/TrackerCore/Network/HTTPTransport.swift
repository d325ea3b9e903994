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
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The request's time was over.
        case timeout
        /// The answer was larger than the request allows.
        case responseTooLarge
        /// The task was cancelled or the transport shut down.
        case cancelled
        /// Anything else: no connection, no name, a broken answer.
        case failed
    }

    /// The kind of failure.
    public let code: Code

    /// What happened, as a sentence.
    public let reason: String

    /// The status of the answer, where its head came before the failure.
    public let status: Int?

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - reason: What happened, as a sentence.
    ///   - status: The status of the answer, where its head came before the failure.
    public init(_ code: Code, reason: String, status: Int? = nil) {
        self.code = code
        self.reason = reason
        self.status = status
    }

    /// What happened, as a sentence.
    public var description: String { reason }
}
