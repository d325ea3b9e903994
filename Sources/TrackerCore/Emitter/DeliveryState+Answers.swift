import FoundationEssentials

extension DeliveryState {
    /// The requests for the events that were loaded together.
    struct Pass: Sendable {
        let load: Load
        /// The requests that were not sent yet, the next one last.
        var waiting: [CollectorRequest]
        var underWay = 0
        /// Whether the next pass may follow at once.
        var goesOn = false
        /// The delay that the collector asked for after a failed request, zero without one; nil if no request failed.
        var retryAfter: Duration?
        /// Whether the collector took events.
        var hasDelivered = false
        /// Whether only set-aside events are left.
        var isDrained = false
    }

    /// Handles loaded events.
    /// - Parameters:
    ///   - requests: The requests for them, as ``CollectorRequest/plan(_:settings:)`` returns them.
    ///   - isLimited: Whether there are more events, beyond the limit.
    /// - Returns: The actions.
    package mutating func requestsPlanned(_ requests: [CollectorRequest], isLimited: Bool) -> [Action] {
        guard case .loading(let load) = phase else { return [] }
        var pass = Pass(load: load, waiting: requests.reversed())
        guard maySend, !requests.isEmpty else {
            if maySend { isolation.foundNone(load) }
            pass.goesOn = isLimited || load.retriedEvent != nil || load.isWitness
            pass.isDrained = !pass.goesOn && !isolation.excluded.isEmpty
            phase = .ending(pass)
            return [.endPass]
        }
        let count = requests.reduce(0) { $0 + $1.events.count }
        let isFull = if case .oldest(let limit) = load.choice { count == limit.events } else { true }
        pass.goesOn = isLimited || isFull
        return sendMore(&pass)
    }

    /// Handles a failure to load events.
    /// - Returns: The actions.
    package mutating func loadFailed() -> [Action] {
        guard case .loading(let load) = phase else { return [] }
        phase = .ending(Pass(load: load, waiting: [], retryAfter: .zero))
        return [.endPass]
    }

    /// Handles the response to a request, or its failure.
    /// - Parameters:
    ///   - response: The response, or the failure.
    ///   - request: The request.
    ///   - queued: The number of unsent events.
    ///   - wallTime: Milliseconds since 1970.
    /// - Returns: The actions.
    package mutating func responseReceived(
        _ response: CollectorResponse, to request: CollectorRequest, queued: Int, wallTime: Int64
    ) -> [Action] {
        guard case .sending(var pass) = phase else { return [] }
        // The pass has one reference only, so that its requests are changed in place and not copied.
        phase = .idle
        pass.underWay -= 1
        let result = CollectorResult(
            response, isOversized: request.isOversized, settings: pass.load.settings.emitter, now: wallTime)
        let time = Date(milliseconds: wallTime)
        (status.lastResponse, status.lastResponseTime) = (response.summary, time)
        if result != .delivered, result != .cancelled {
            (status.lastFailingResponse, status.lastFailingResponseTime) = (response.summary, time)
        }
        if result != .cancelled { history.append(isFailure: result != .delivered) }
        let actions: [Action]
        switch result {
        case .delivered:
            (status.lastSuccessTime, status.failingSince) = (time, nil)
            actions = delivered(request, response, &pass)
        case .cancelled:
            pass.retryAfter = .zero
            actions = [keep(request, response)]
        case .dropped(let reason):
            if reason == .notRetried { noteFailure() }
            actions = [drop(request, reason, response)]
        case .refused(let reason): actions = failed(request, reason, response, .zero, &pass, queued)
        case .failed(let retryAfter): actions = failed(request, nil, response, retryAfter, &pass, queued)
        }
        return actions + sendMore(&pass)
    }

    private func keep(_ request: CollectorRequest, _ response: CollectorResponse) -> Action {
        .logDetail(.debug, "\(request.events.count) events will be tried again: \(response.summary)")
    }

    private func drop(_ request: CollectorRequest, _ reason: DropReason, _ response: CollectorResponse) -> Action {
        .drop(request.events, reason, detail: response.summary, response: response.bodyExcerpt)
    }

    /// Sets the time since which requests have failed, unless it is set.
    private mutating func noteFailure() {
        if status.failingSince == nil, !isOutdated { status.failingSince = status.lastResponseTime }
    }

    private mutating func delivered(
        _ request: CollectorRequest, _ response: CollectorResponse, _ pass: inout Pass
    ) -> [Action] {
        pass.hasDelivered = true
        isolation.delivered(pass.load, at: uptime)
        var actions: [Action] = [
            .delivered(request.events), .logDetail(.trace, "\(request.events.count) events were delivered"),
        ]
        if case .failure = response, logThrottle.admit("incomplete", count: 1, at: uptime) != nil {
            let message = "events count as sent, although the answer is not complete: \(response.summary)"
            actions.append(.log(.warning, message))
        }
        if let since = failing?.since {
            failing = nil
            let length = (uptime - since) / .seconds(1)
            if length >= 10 { (status.lastOutageEnd, status.lastOutageSeconds) = (status.lastSuccessTime, length) }
            actions.append(.log(.info, "delivery works again after \((uptime - since).inSeconds)"))
        }
        return actions
    }

    private mutating func failed(
        _ request: CollectorRequest, _ reason: DropReason?, _ response: CollectorResponse, _ retryAfter: Duration,
        _ pass: inout Pass, _ queued: Int
    ) -> [Action] {
        var actions = [keep(request, response)]
        guard !isOutdated else {
            // A request with outdated settings is no evidence about its events.
            status.counters.retried += request.events.count
            pass.retryAfter = .zero
            return actions
        }
        switch isolation.failed(request.events, pass.load, reason, queued: queued, at: uptime) {
        case .drops(let reason):
            if pass.load.retriedEvent == nil { noteFailure() }
            return [drop(request, reason, response)]
        case .goesOn:
            (pass.waiting, pass.goesOn) = ([], true)
            if pass.load.retriedEvent != nil, logThrottle.admit("set aside", count: 1, at: uptime) != nil {
                let message = "an event fails although others are delivered, and is retried until it expires"
                actions.append(.log(.warning, "\(message): \(response.summary)"))
            }
        case .waits:
            pass.retryAfter = retryAfter
            noteFailure()
            actions += logFailure(queued, response)
        }
        status.counters.retried += request.events.count
        return actions
    }

    private mutating func logFailure(_ queued: Int, _ response: CollectorResponse) -> [Action] {
        if let failing, uptime - failing.lastLine < Self.failureLineInterval { return [] }
        let since = failing?.since ?? uptime
        failing = (since, uptime)
        let duration = uptime > since ? " for \((uptime - since).inSeconds)" : ""
        let message = "delivery has failed\(duration), \(counted(queued, "event")) will be retried: \(response.summary)"
        return [.log(.warning, message)]
    }

    /// Sends the next requests of a pass, several in parallel if the settings allow it; completes a pass without
    /// requests.
    private mutating func sendMore(_ pass: inout Pass) -> [Action] {
        var actions: [Action] = []
        let maximum = pass.load.settings.emitter.threadPoolSize ?? 1
        let mayBegin = maySend && pass.retryAfter == nil
        while mayBegin, pass.underWay < maximum, let request = pass.waiting.popLast() {
            pass.underWay += 1
            actions.append(.send(request, pass.load.settings))
        }
        let isOver = pass.underWay == 0
        phase = isOver ? .ending(pass) : .sending(pass)
        return isOver ? actions + [.endPass] : actions
    }
}

extension CollectorResponse {
    var status: Int? {
        switch self {
        case .success(let response): response.status
        case .failure(let error): error.status
        }
    }

    /// Whether the SDK ended the request.
    var isCancelled: Bool {
        if case .failure(let error) = self { error.code == .cancelled } else { false }
    }

    /// The first line of the response's body as the end of a sentence, at most 200 characters; empty without a body.
    fileprivate var bodyExcerpt: String {
        guard case .success(let response) = self else { return "" }
        let line = response.body.prefix(1024).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).first ?? []
        let text = String(decoding: line, as: UTF8.self).oneLine(most: 200)
        return text.isEmpty ? "" : ": '\(text)'"
    }

    /// The response in a few words, for the log.
    var summary: String {
        switch self {
        case .success(let response): response.summary
        case .failure(let error):
            error.status.map { "the collector answered \($0), but \(error.reason)" } ?? error.reason
        }
    }
}

extension HTTPTransportResponse {
    private static let maxShownLength = 300

    /// The server and the status of the response, and the target of a redirect.
    fileprivate var summary: String {
        let collector = url.flatMap { EndpointURL.server(of: $0) } ?? "the collector"
        let answer = "\(status == Self.proxyAuthenticationRequired ? "the proxy" : collector) answered \(status)"
        guard 300...399 ~= status, let target = header("Location") else { return answer }
        return "\(answer), a redirect to \(EndpointURL.withoutSecrets(target).oneLine(most: Self.maxShownLength))"
    }
}

extension Duration {
    /// The duration in seconds, for a sentence: `4 s`.
    fileprivate var inSeconds: String {
        let seconds = self / .seconds(1)
        let tenths = (seconds * 10).rounded() / 10
        return seconds < 10 && tenths.rounded() != tenths ? "\(tenths) s" : "\(Int(seconds.rounded())) s"
    }
}
