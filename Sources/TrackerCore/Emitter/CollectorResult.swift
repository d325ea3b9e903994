/// What the collector's answer means for the events of a request; a pure function of the answer and the settings.
enum CollectorResult: Equatable {
    /// The events leave the store.
    case delivered
    /// The events leave the store and are counted as dropped.
    case dropped(DropReason)
    /// The events stay and are tried again.
    case kept(retryAfter: Duration?)
    /// The request was too large for the collector: each half of its events is sent by itself.
    case split

    // The collector will not take these events however often they come.
    private static let final: Set<Int> = [400, 401, 403, 410, 422]
    /// The request is larger than the collector takes.
    static let contentTooLarge = 413
    /// The statuses that say so of one event; 414 of one that is sent by GET.
    static let tooLarge: Set<Int> = [contentTooLarge, 414]

    /// Judges an answer.
    /// - Parameters:
    ///   - result: The answer, or why none came.
    ///   - eventCount: How many events the request has.
    ///   - isOversized: Whether the request holds one event that is larger than a request may be.
    ///   - settings: The settings that the request was made by.
    ///   - now: Milliseconds since 1970.
    init(
        _ result: Result<HTTPTransportResponse, HTTPTransportError>,
        eventCount: Int,
        isOversized: Bool,
        settings: EmitterConfiguration,
        now: Int64
    ) {
        let (status, retryAfter): (Int, String?) =
            switch result {
            case .success(let response): (response.status, response.header("Retry-After"))
            // A collector that answers 200 and then breaks off, or never completes its answer, has taken the events: to send them
            // again would repeat them each time. The rest of its answer is not needed.
            case .failure(let error): (error.status ?? 0, nil)
            }
        let rule = status > 0 ? settings.customRetryForStatusCodes?[status] : nil
        let isRetried = rule ?? !Self.final.contains(status)
        if 200...299 ~= status {
            self = .delivered
        } else if status == Self.contentTooLarge, rule != false, eventCount > 1 {
            self = .split
        } else if isOversized {
            self = .dropped(.oversized)
        } else if !isRetried {
            self = .dropped(.rejected)
        } else if settings.retryFailedRequests == false {
            self = .dropped(.notRetried)
        } else {
            self = .kept(retryAfter: Duration(retryAfter: retryAfter, now: now))
        }
    }
}
