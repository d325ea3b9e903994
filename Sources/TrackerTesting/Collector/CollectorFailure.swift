public import TrackerCore

/// A way in which a ``RecordingCollector`` fails.
@nonexhaustive
public enum CollectorFailure: Sendable, Hashable {
    /// The collector answers with a status and headers, such as `Retry-After`. It accepts the events only if the status
    /// is 200 … 299.
    case status(Int, headers: [HTTPHeader] = [])

    /// The request fails with an error, and the events are not accepted.
    case error(HTTPTransportError)

    /// The events are accepted, but the response is lost, so a tracker sends them again.
    case answerLost

    /// No server listens at the collector's address.
    public static let unreachable = CollectorFailure.error(
        HTTPTransportError(.failed, reason: "the test lets the connection fail"))

    /// The request times out before a response arrives.
    public static let timeout = CollectorFailure.error(
        HTTPTransportError(.timeout, reason: "the test lets the request time out"))

    /// Whether the collector accepts the events of the request.
    var takesEvents: Bool {
        switch self {
        case .status(let status, _): 200...299 ~= status
        case .error: false
        case .answerLost: true
        }
    }

    /// Returns the response that the tracker receives, or throws the error.
    func response() throws(HTTPTransportError) -> HTTPTransportResponse {
        switch self {
        case .status(let status, let headers): return HTTPTransportResponse(status: status, headers: headers)
        case .error(let error): throw error
        case .answerLost: throw HTTPTransportError(.failed, reason: "the test loses the answer")
        }
    }
}
