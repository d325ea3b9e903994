public import TrackerCore

/// How a ``RecordingCollector`` fails.
@nonexhaustive
public enum CollectorFailure: Sendable, Hashable {
    /// It answers with a status and headers, as `Retry-After`. It takes the events only if the status is 200 … 299.
    case status(Int, headers: [HTTPHeader] = [])

    /// No answer comes, and the events are not taken.
    case error(HTTPTransportError)

    /// The events are taken, but the answer is lost, so that a tracker sends them again.
    case answerLost

    /// Nothing listens at the collector's address.
    public static let unreachable = CollectorFailure.error(
        HTTPTransportError(.failed, reason: "the test lets the connection fail"))

    /// The request's time is over before an answer comes.
    public static let timeout = CollectorFailure.error(
        HTTPTransportError(.timeout, reason: "the test lets the request time out"))

    /// Whether the collector takes the events of the request.
    var takesEvents: Bool {
        switch self {
        case .status(let status, _): 200...299 ~= status
        case .error: false
        case .answerLost: true
        }
    }

    /// What the tracker sees of it.
    func response() throws(HTTPTransportError) -> HTTPTransportResponse {
        switch self {
        case .status(let status, let headers): return HTTPTransportResponse(status: status, headers: headers)
        case .error(let error): throw error
        case .answerLost: throw HTTPTransportError(.failed, reason: "the test loses the answer")
        }
    }
}
