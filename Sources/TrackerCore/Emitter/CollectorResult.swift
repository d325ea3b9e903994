/// The response to a request, or the error if there is none.
package typealias CollectorResponse = Result<HTTPTransportResponse, HTTPTransportError>

/// The outcome of a request for its events; a pure function of the response and the settings.
enum CollectorResult: Equatable {
    /// The events leave the store.
    case delivered
    /// The events leave the store and are counted as dropped.
    case dropped(DropReason)
    /// The collector refuses the request because of its events.
    case refused(DropReason)
    /// The SDK cancelled the request, at shutdown or after a change of the settings: the events stay, and their outcome
    /// is unknown.
    case cancelled
    /// The events stay and are retried, not before the time that the collector asks for; zero if it asks for none.
    case failed(retryAfter: Duration)

    // The collector refuses these events at every retry.
    private static let final: Set<Int> = [400, 401, 403, 410, 422]
    // The request, or for the second status its URL, is larger than the collector accepts.
    private static let tooLarge: Set<Int> = [413, 414]

    /// Interprets a response.
    /// - Parameters:
    ///   - result: The response, or the error if there is none.
    ///   - isOversized: Whether the request has a single event that is larger than a request may be.
    ///   - settings: The settings of the request.
    ///   - now: Milliseconds since 1970.
    init(_ result: CollectorResponse, isOversized: Bool, settings: EmitterConfiguration, now: Int64) {
        // With a status of 200 to 299, the collector has taken the events even if the response breaks off or never
        // completes; retries would duplicate them.
        var status = result.status ?? 0
        // An error has no headers, so the usual delay applies.
        var retryAfter = (try? result.get())?.header("Retry-After")
        // The response came from a proxy, not from the collector.
        if status == HTTPTransportResponse.proxyAuthenticationRequired { (status, retryAfter) = (0, nil) }
        let rule = status > 0 ? settings.customRetryForStatusCodes?[status] : nil
        if 200...299 ~= status {
            self = .delivered
        } else if result.isCancelled, status == 0 {
            self = .cancelled
        } else if rule == nil, Self.tooLarge.contains(status) {
            self = isOversized ? .dropped(.oversized) : .refused(.oversized)
        } else if rule.map({ !$0 }) ?? Self.final.contains(status) {
            self = isOversized ? .dropped(.oversized) : .refused(.rejected)
        } else if settings.retryFailedRequests == false {
            self = .dropped(.notRetried)
        } else {
            self = .failed(retryAfter: Duration(retryAfter: retryAfter, now: now) ?? .zero)
        }
    }
}
