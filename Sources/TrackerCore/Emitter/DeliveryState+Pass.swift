extension DeliveryState {
    /// The requests for the events that were loaded together.
    struct Pass: Sendable {
        /// How a pass ended.
        enum Result: Sendable {
            /// No event is to be tried again; `isFull` if more events may follow at once.
            case done(isFull: Bool)
            /// Events were kept after a failure.
            case failed(retryAfter: Duration?)
        }

        let settings: EffectiveSettings
        /// The index of the collector.
        let collector: Int
        /// Whether it only asks whether the first collector works again.
        let isProbe: Bool
        /// Whether there were as many events as the limit allows.
        let isFull: Bool
        /// The requests that were not sent yet, the next one last.
        var waiting: [CollectorRequest]
        var underWay = 0
        var hasResponse = false
        /// Whether events were delivered or dropped.
        var hasSettled = false
        /// Stops the pass once the requests in progress are answered.
        var failure: Failure?
        /// The failure of an event that is too large by itself: it holds up no other.
        var passedOver: Failure?
    }

    /// A request whose events are kept.
    struct Failure: Sendable {
        let retryAfter: Duration?
    }

    /// The oldest events were loaded.
    /// - Parameters:
    ///   - requests: The requests for them, as ``CollectorRequest/plan(_:settings:knownLimit:)`` returns them.
    ///   - isLimited: Whether there are more events, which the limit left out.
    ///   - uptime: The time.
    /// - Returns: What to do.
    package mutating func requestsPlanned(
        _ requests: [CollectorRequest], isLimited: Bool, at uptime: Duration
    ) -> [Action] {
        guard case .loading(let limit, let settings) = phase else { return [] }
        guard maySend else {
            phase = .ending(.done(isFull: false))
            return [.endPass]
        }
        let collector = choice.next(of: settings.endpoints.count, at: uptime)
        let isProbe = collector != choice.current
        let count = requests.reduce(0) { $0 + $1.events.count }
        var pass = Pass(
            settings: settings, collector: collector, isProbe: isProbe,
            isFull: isLimited || count == limit,
            // A probe is one request, not a whole pass.
            waiting: requests.prefix(isProbe ? 1 : .max).reversed())
        return sendMore(&pass, at: uptime)
    }

    /// The events could not be loaded.
    /// - Parameter isReplaced: Whether another store took the place of the one that could not be read.
    /// - Returns: What to do.
    package mutating func loadFailed(isReplaced: Bool) -> [Action] {
        guard case .loading = phase else { return [] }
        phase = .ending(isReplaced ? .done(isFull: true) : .failed(retryAfter: nil))
        return [.endPass]
    }

    /// A request was answered, or failed.
    /// - Parameters:
    ///   - response: The response, or the failure.
    ///   - request: The request.
    ///   - isCurrent: Whether the events are still those of the store.
    ///   - queued: The number of unsent events.
    ///   - uptime: The time.
    ///   - wallTime: Milliseconds since 1970.
    /// - Returns: What to do.
    package mutating func responseReceived(
        _ response: Result<HTTPTransportResponse, HTTPTransportError>, to request: CollectorRequest, isCurrent: Bool,
        queued: Int, uptime: Duration, wallTime: Int64
    ) -> [Action] {
        guard case .sending(var pass) = phase else { return [] }
        // So that the pass is changed in place, and its requests are not copied.
        phase = .ending(.done(isFull: false))
        pass.underWay -= 1
        guard isCurrent else {
            // The store was damaged and replaced: what was salvaged of it is loaded again.
            pass.waiting = []
            return sendMore(&pass, at: uptime)
        }
        pass.hasResponse = true
        let answer = CollectorResult(
            response, eventCount: request.events.count, isOversized: request.isOversized,
            settings: pass.settings.emitter, now: wallTime)
        lastResponse = response.summary
        // A request that was cancelled, as at the end, says nothing about the collector.
        if answer == .delivered || !response.isCancelled { history.append(isFailure: answer != .delivered) }
        note(answer, response, at: wallTime)
        let report = CollectorRequestReport(
            namespace: pass.settings.namespace, eventCount: request.events.count, status: response.status,
            summary: response.summary, isDelivered: answer == .delivered)
        let actions = judge(answer, response, request, &pass, queued: queued, at: uptime)
        return [.report(report)] + actions + sendMore(&pass, at: uptime)
    }

    /// Notes since when requests fail.
    private mutating func note(
        _ answer: CollectorResult, _ response: Result<HTTPTransportResponse, HTTPTransportError>, at wallTime: Int64
    ) {
        lastResponseTime = wallTime
        switch answer {
        case .delivered: (lastSuccessTime, failingSince) = (wallTime, nil)
        // These say something about the size of an event, and not about the collector.
        case .split, .dropped(.oversized): break
        case .kept where response.status == CollectorResult.contentTooLarge: break
        case .kept, .dropped:
            // Neither does a request that was cancelled, or that went by settings that have changed since.
            if failingSince == nil, !isOutdated, !response.isCancelled { failingSince = wallTime }
        }
    }

    private mutating func judge(
        _ answer: CollectorResult, _ response: Result<HTTPTransportResponse, HTTPTransportError>,
        _ request: CollectorRequest,
        _ pass: inout Pass, queued: Int, at uptime: Duration
    ) -> [Action] {
        let (count, summary) = (request.events.count, response.summary)
        switch answer {
        case .delivered:
            pass.hasSettled = true
            var actions: [Action] = [.deliver(request.events), .logDetail(.trace, "\(count) events were delivered")]
            if let duration = trouble.succeeded(at: uptime) {
                actions.append(.log(.info, "delivery works again after \(duration.inSeconds)"))
            }
            return actions
        case .dropped(let reason):
            pass.hasSettled = true
            return [.drop(request.events, reason, detail: summary, response: response.bodyExcerpt)]
        case .split:
            bodyLimit = max(1, request.bodySize / 2)
            pass.waiting += request.halves.reversed()
            return [
                .logDetail(
                    .debug, "\(count) events are too large for one request and are sent in halves: \(summary)")
            ]
        case .kept(let retryAfter):
            var actions: [Action] = [.logDetail(.debug, "\(count) events will be tried again: \(summary)")]
            if !response.isCancelled { actions.append(.retry(count: count)) }
            if response.status == CollectorResult.contentTooLarge {
                pass.passedOver = Failure(retryAfter: retryAfter)
                if lines.admit("too large", count: 1, at: uptime) != nil {
                    let message = "an event is too large for the collector and is retried until it expires: \(summary)"
                    actions.append(.log(.warning, message))
                }
                return actions
            }
            pass.failure = Failure(retryAfter: retryAfter)
            if !response.isCancelled, let duration = trouble.failed(at: uptime) {
                let since = duration > .zero ? " for \(duration.inSeconds)" : ""
                actions.append(
                    .log(.warning, "delivery has failed\(since), \(queued) events wait and are retried: \(summary)"))
            }
            return actions
        }
    }

    /// Sends the next requests of a pass, several at a time if the settings allow it; stops a pass without any.
    private mutating func sendMore(_ pass: inout Pass, at uptime: Duration) -> [Action] {
        var actions: [Action] = []
        let maximum = pass.settings.emitter.threadPoolSize ?? 1
        while pass.underWay < maximum, pass.failure == nil, maySend, let request = pass.waiting.popLast() {
            pass.underWay += 1
            actions.append(.send(request, to: pass.settings.endpoints[pass.collector], settings: pass.settings))
        }
        if pass.underWay > 0 {
            phase = .sending(pass)
            return actions
        }
        phase = .ending(result(of: pass, at: uptime))
        return actions + [.endPass]
    }

    private mutating func result(of pass: Pass, at uptime: Duration) -> Pass.Result {
        // Without a response nothing is known of the collector; an outdated pass had other collectors.
        guard pass.hasResponse, !isOutdated else { return .done(isFull: pass.isFull) }
        let failure = pass.failure ?? (pass.hasSettled ? nil : pass.passedOver)
        let goesOn = choice.passEnded(
            pass.collector, hasFailed: failure != nil, count: pass.settings.endpoints.count, at: uptime)
        guard let failure else { return .done(isFull: pass.isFull || pass.isProbe) }
        return goesOn ? .done(isFull: true) : .failed(retryAfter: failure.retryAfter)
    }
}

extension Result<HTTPTransportResponse, HTTPTransportError> {
    var status: Int? {
        switch self {
        case .success(let response): response.status
        case .failure(let error): error.status
        }
    }

    fileprivate var isCancelled: Bool {
        if case .failure(let error) = self { error.code == .cancelled } else { false }
    }

    /// The first line of the response's body, at most 200 characters, as it follows a sentence; empty without one.
    fileprivate var bodyExcerpt: String {
        guard case .success(let response) = self else { return "" }
        let line = response.body.prefix(1024).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).first ?? []
        let text = String(decoding: line, as: UTF8.self).oneLine(most: 200)
        return text.isEmpty ? "" : ": '\(text)'"
    }

    /// The response in a few words, for the log.
    var summary: String {
        switch self {
        case .success(let response): "the collector answered \(response.status)"
        case .failure(let error): error.reason
        }
    }
}

extension Duration {
    /// The duration in seconds, as a sentence has it: `4 s`.
    fileprivate var inSeconds: String {
        let seconds = self / .seconds(1)
        return seconds < 10 ? "\((seconds * 10).rounded() / 10) s" : "\(Int(seconds.rounded())) s"
    }
}
