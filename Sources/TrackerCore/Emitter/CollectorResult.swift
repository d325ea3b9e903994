/// The answer to a request, or why none came.
package typealias CollectorResponse = Result<HTTPTransportResponse, HTTPTransportError>

/// What the collector's answer means for the events of a request; a pure function of the answer and the settings.
enum CollectorResult: Equatable {
    /// The events leave the store.
    case delivered
    /// The events leave the store and are counted as dropped.
    case dropped(DropReason)
    /// The collector does not take the request as it is, for a reason of its events.
    case refused(DropReason)
    /// The SDK ended the request before an answer, at its end or after a change of the settings: the events stay, and nothing
    /// is known of them.
    case cancelled
    /// The events stay and are tried again, not before the time that the collector asks for; zero if it asks for none.
    case failed(retryAfter: Duration)

    // The collector will not take these events however often they come.
    private static let final: Set<Int> = [400, 401, 403, 410, 422]
    // The request is larger than the collector takes; the second for a URL.
    private static let tooLarge: Set<Int> = [413, 414]

    /// Judges an answer.
    /// - Parameters:
    ///   - result: The answer, or why none came.
    ///   - isOversized: Whether the request holds one event that is larger than a request may be.
    ///   - settings: The settings that the request was made by.
    ///   - now: Milliseconds since 1970.
    init(_ result: CollectorResponse, isOversized: Bool, settings: EmitterConfiguration, now: Int64) {
        // A collector that answers 200 and then breaks off, or never completes its answer, has taken the events: to send them
        // again would repeat them each time. The rest of its answer is not needed.
        var status = result.status ?? 0
        var retryAfter = (try? result.get())?.header("Retry-After")
        // The answer of a proxy is none of the collector.
        if status == HTTPTransportResponse.proxyAuthenticationRequired { (status, retryAfter) = (0, nil) }
        let rule = status > 0 ? settings.customRetryForStatusCodes?[status] : nil
        if 200...299 ~= status {
            self = .delivered
        } else if result.isCancelled, status == 0 {
            self = .cancelled
        } else if isOversized {
            self = .dropped(.oversized)
        } else if rule == nil, Self.tooLarge.contains(status) {
            self = .refused(.oversized)
        } else if rule.map({ !$0 }) ?? Self.final.contains(status) {
            self = .refused(.rejected)
        } else if settings.retryFailedRequests == false {
            self = .dropped(.notRetried)
        } else {
            self = .failed(retryAfter: Duration(retryAfter: retryAfter, now: now) ?? .zero)
        }
    }
}
