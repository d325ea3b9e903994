extension DeliveryState {
    /// The requests for the events that were loaded together.
    struct Pass: Sendable {
        /// How a pass ended.
        struct Result: Sendable {
            /// Whether more events may follow at once.
            var goesOn = false
            /// After which events were kept to be tried again; nil if there was none.
            var failure: Failure?
            /// The refusal of an event that is set aside; nil if there was none.
            var refusal: Failure?
            /// Whether the collector took events.
            var hasDelivered = false
            /// Whether no event is left but those that are set aside.
            var isDrained = false
            /// The event that was set aside and whose turn it was; nil if the pass had others.
            var turn: Int64?
        }

        let settings: EffectiveSettings
        /// The index of the collector.
        let collector: Int
        /// Whether it only asks whether the first collector works again.
        let isProbe: Bool
        /// The event that was set aside and whose turn it is; nil if the pass has others.
        let turn: Int64?
        /// Whether there were as many events as the limit allows.
        var isFull: Bool
        /// The requests that were not sent yet, the next one last.
        var waiting: [CollectorRequest]
        var underWay = 0
        var hasResponse = false
        /// Whether events were delivered.
        var hasDelivered = false
        /// Whether events were delivered or dropped.
        var hasSettled = false
        /// Stops the pass once the requests in progress are answered.
        var failure: Failure?
        /// The refusal of an event that is too large by itself: it holds up no other.
        var refusal: Failure?
    }

    /// A request whose events are kept.
    struct Failure: Sendable {
        let retryAfter: Duration?
    }

    /// How long after the last refusal of a body the limit of bodies is raised.
    static let bodyLimitAge = Duration.seconds(60)
    /// The number of failed passes after which a pass without a delivery stops at the first event that is refused alone,
    /// because the collector refuses all events.
    static let failuresBeforeRefusalsCount = 2

    /// Events were loaded.
    /// - Parameters:
    ///   - requests: The requests for them, as ``CollectorRequest/plan(_:settings:knownLimit:)`` returns them.
    ///   - isLimited: Whether there are more events, which the limit left out.
    /// - Returns: What to do.
    package mutating func requestsPlanned(_ requests: [CollectorRequest], isLimited: Bool) -> [Action] {
        guard case .loading(let load) = phase else { return [] }
        guard maySend, !requests.isEmpty else {
            var result = Pass.Result(goesOn: isLimited, turn: load.single)
            if let gone = load.single, maySend {
                setAside.remove(gone)
                result.goesOn = true
            } else {
                result.isDrained = !isLimited && !setAside.isEmpty
            }
            phase = .ending(result)
            return [.endPass]
        }
        let settings = load.settings
        let next = choice.next(of: settings.endpoints.count, at: uptime)
        // Whether an event is too large is no evidence about the first collector.
        let collector = load.single == nil ? next : choice.current
        let isProbe = collector != choice.current
        let count = requests.reduce(0) { $0 + $1.events.count }
        var pass = Pass(
            settings: settings, collector: collector, isProbe: isProbe, turn: load.single,
            isFull: isLimited || count == load.limit.events || load.single != nil,
            // A probe is one request, not a whole pass.
            waiting: requests.prefix(isProbe ? 1 : .max).reversed())
        return sendMore(&pass)
    }

    /// The events could not be loaded.
    /// - Parameter isReplaced: Whether another store took the place of the one that could not be read.
    /// - Returns: What to do.
    package mutating func loadFailed(isReplaced: Bool) -> [Action] {
        guard case .loading = phase else { return [] }
        // Another store gives other ids.
        if isReplaced { setAside = SetAsideEvents() }
        phase = .ending(Pass.Result(goesOn: isReplaced, failure: isReplaced ? nil : Failure(retryAfter: nil)))
        return [.endPass]
    }

    /// A request was answered, or failed.
    /// - Parameters:
    ///   - response: The response, or the failure.
    ///   - request: The request.
    ///   - isCurrent: Whether the events are still those of the store.
    ///   - queued: The number of unsent events.
    ///   - wallTime: Milliseconds since 1970.
    /// - Returns: What to do.
    package mutating func responseReceived(
        _ response: Result<HTTPTransportResponse, HTTPTransportError>, to request: CollectorRequest, isCurrent: Bool,
        queued: Int, wallTime: Int64
    ) -> [Action] {
        guard case .sending(var pass) = phase else { return [] }
        // So that the pass is changed in place, and its requests are not copied.
        phase = .ending(Pass.Result())
        pass.underWay -= 1
        guard isCurrent else {
            // The store was damaged and replaced: what was salvaged of it is loaded again.
            pass.waiting = []
            setAside = SetAsideEvents()
            return sendMore(&pass)
        }
        pass.hasResponse = true
        let answer = CollectorResult(
            response, eventCount: request.events.count, isOversized: request.isOversized,
            settings: pass.settings.emitter, now: wallTime)
        lastResponse = response.summary
        // A request that was cancelled, as at the end, is no evidence about the collector.
        if answer == .delivered || !response.isCancelled { history.append(isFailure: answer != .delivered) }
        note(answer, response, at: wallTime)
        let report = CollectorRequestReport(
            namespace: pass.settings.namespace, eventCount: request.events.count, status: response.status,
            summary: response.summary, isDelivered: answer == .delivered)
        let actions = judge(answer, response, request, &pass, queued: queued)
        return [.report(report)] + actions + sendMore(&pass)
    }

    /// Notes since when requests fail.
    private mutating func note(
        _ answer: CollectorResult, _ response: Result<HTTPTransportResponse, HTTPTransportError>, at wallTime: Int64
    ) {
        lastResponseTime = wallTime
        switch answer {
        case .delivered: (lastSuccessTime, failingSince) = (wallTime, nil)
        // These concern the size of an event, and not the collector.
        case .split: break
        case .dropped(.oversized): lastFailure = (response.summary, wallTime)
        case .kept where isRefusedAlone(response): lastFailure = (response.summary, wallTime)
        case .kept, .dropped:
            if !response.isCancelled { lastFailure = (response.summary, wallTime) }
            // Neither does a request that was cancelled, or that went by settings that have changed since.
            if failingSince == nil, !isOutdated, !response.isCancelled { failingSince = wallTime }
        }
    }

    private mutating func judge(
        _ answer: CollectorResult, _ response: Result<HTTPTransportResponse, HTTPTransportError>,
        _ request: CollectorRequest,
        _ pass: inout Pass, queued: Int
    ) -> [Action] {
        let (count, summary) = (request.events.count, response.summary)
        switch answer {
        case .delivered:
            (pass.hasDelivered, pass.hasSettled) = (true, true)
            if let turn = pass.turn { setAside.delivered(turn, at: uptime) }
            if raisesBodyLimit(request, pass.settings) { (pass.waiting, pass.isFull) = ([], true) }
            var actions: [Action] = [.deliver(request.events), .logDetail(.trace, "\(count) events were delivered")]
            if case .failure = response, lines.admit("incomplete", count: 1, at: uptime) != nil {
                actions.append(.log(.warning, "events count as sent, although the answer is not complete: \(summary)"))
            }
            if let duration = trouble.succeeded(at: uptime) {
                actions.append(.log(.info, "delivery works again after \(duration.inSeconds)"))
            }
            return actions
        case .dropped(let reason):
            pass.hasSettled = true
            if let turn = pass.turn { setAside.remove(turn) }
            return [.drop(request.events, reason, detail: summary, response: response.bodyExcerpt)]
        case .split:
            (bodyLimit, bodyRefusal) = (max(1, request.bodySize / 2), uptime)
            pass.waiting += request.halves.reversed()
            return [
                .logDetail(
                    .debug, "\(count) events are too large for one request and are sent in halves: \(summary)")
            ]
        case .kept(let retryAfter):
            var actions: [Action] = [.logDetail(.debug, "\(count) events will be tried again: \(summary)")]
            if !response.isCancelled { actions.append(.retry(count: count)) }
            if let turn = pass.turn { setAside.failed(turn) }
            if isRefusedAlone(response), setAside.add(request.events[0].id) {
                pass.refusal = Failure(retryAfter: retryAfter)
                if lines.admit("too large", count: 1, at: uptime) != nil {
                    let message = "an event is too large for the collector and is retried until it expires: \(summary)"
                    actions.append(.log(.warning, message))
                }
                let isAll = !pass.hasSettled && backoff.failures >= Self.failuresBeforeRefusalsCount
                if isAll, pass.turn == nil { pass.failure = pass.refusal }
                return actions
            }
            if pass.turn != nil { pass.refusal = Failure(retryAfter: retryAfter) }
            pass.failure = Failure(retryAfter: retryAfter)
            if !response.isCancelled, let duration = trouble.failed(at: uptime) {
                let since = duration > .zero ? " for \(duration.inSeconds)" : ""
                actions.append(
                    .log(.warning, "delivery has failed\(since), \(queued) events wait and are retried: \(summary)"))
            }
            return actions
        }
    }

    /// Whether an answer for one event says that it is too large.
    private func isRefusedAlone(_ response: Result<HTTPTransportResponse, HTTPTransportError>) -> Bool {
        response.status.map(CollectorResult.tooLarge.contains) ?? false
    }

    /// Doubles the limit of bodies after the delivery of one that is at least half as large, a minute after the last refusal.
    /// - Returns: Whether it was raised, so that the rest of the pass is to be planned anew.
    private mutating func raisesBodyLimit(_ request: CollectorRequest, _ settings: EffectiveSettings) -> Bool {
        guard let limit = bodyLimit, uptime - bodyRefusal >= Self.bodyLimitAge, request.bodySize >= limit / 2 else {
            return false
        }
        bodyLimit = limit * 2 < settings.emitter.byteLimitPost ?? .max ? limit * 2 : nil
        return true
    }

    /// Sends the next requests of a pass, several at a time if the settings allow it; stops a pass without any.
    private mutating func sendMore(_ pass: inout Pass) -> [Action] {
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
        phase = .ending(result(of: pass))
        return actions + [.endPass]
    }

    private mutating func result(of pass: Pass) -> Pass.Result {
        var result = Pass.Result(
            goesOn: pass.isFull, refusal: pass.refusal, hasDelivered: pass.hasDelivered, turn: pass.turn)
        // Without a response nothing is known of the collector; an outdated pass had other collectors.
        guard pass.hasResponse, !isOutdated else { return result }
        result.failure = pass.failure
        // A collector that refuses each event fails; a single refused event is no evidence of that.
        if !pass.hasSettled, pass.turn == nil { result.failure = pass.failure ?? pass.refusal }
        if pass.turn != nil, result.failure == nil, !pass.hasSettled { return result }
        let mayFollow = choice.passEnded(
            pass.collector, hasFailed: result.failure != nil, count: pass.settings.endpoints.count, at: uptime)
        result.goesOn = result.failure == nil ? pass.isFull || pass.isProbe : mayFollow
        return result
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
        case .failure(let error):
            error.status.map { "the collector answered \($0), but \(error.reason)" } ?? error.reason
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
