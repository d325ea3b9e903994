import FoundationEssentials

extension DeliveryState {
    /// The requests for the events that were loaded together.
    struct Pass: Sendable {
        let load: Load
        /// The requests that were not sent yet, the next one last.
        var waiting: [CollectorRequest]
        var underWay = 0
        var result: PassResult
        /// Whether no further request begins.
        var isStopped = false
    }

    /// How a pass ended.
    struct PassResult: Sendable {
        /// Whether more events may follow at once.
        var goesOn = false
        /// How long the collector asks to wait, zero if it does not, after a request that failed; nil if there was none.
        var retryAfter: Duration?
        /// Whether the collector took events.
        var hasDelivered = false
        /// Whether no event is left but those that are set aside.
        var isDrained = false
    }

    /// Events were loaded.
    /// - Parameters:
    ///   - requests: The requests for them, as ``CollectorRequest/plan(_:settings:)`` returns them.
    ///   - isLimited: Whether there are more events, which the limit left out.
    /// - Returns: What to do.
    package mutating func requestsPlanned(_ requests: [CollectorRequest], isLimited: Bool) -> [Action] {
        guard case .loading(let load) = phase else { return [] }
        var result = PassResult()
        guard maySend, !requests.isEmpty else {
            if maySend { isolation.foundNone(load) }
            result.goesOn = isLimited || load.turn != nil || load.isWitness
            result.isDrained = !result.goesOn && !isolation.excluded.isEmpty
            phase = .ending(result)
            return [.endPass]
        }
        let count = requests.reduce(0) { $0 + $1.events.count }
        let isFull = if case .oldest(let limit) = load.choice { count == limit.events } else { true }
        result.goesOn = isLimited || isFull
        var pass = Pass(load: load, waiting: requests.reversed(), result: result)
        return sendMore(&pass)
    }

    /// The events could not be loaded.
    /// - Returns: What to do.
    package mutating func loadFailed() -> [Action] {
        guard case .loading = phase else { return [] }
        phase = .ending(PassResult(retryAfter: .zero))
        return [.endPass]
    }

    /// A request was answered, or failed.
    /// - Parameters:
    ///   - response: The response, or the failure.
    ///   - request: The request.
    ///   - queued: The number of unsent events.
    ///   - wallTime: Milliseconds since 1970.
    /// - Returns: What to do.
    package mutating func responseReceived(
        _ response: Result<HTTPTransportResponse, HTTPTransportError>, to request: CollectorRequest, queued: Int,
        wallTime: Int64
    ) -> [Action] {
        guard case .sending(var pass) = phase else { return [] }
        // So that the pass is changed in place, and its requests are not copied.
        phase = .ending(PassResult())
        pass.underWay -= 1
        let result = CollectorResult(
            response, isOversized: request.isOversized, settings: pass.load.settings.emitter, now: wallTime)
        note(result, response, at: Date(milliseconds: wallTime))
        let actions =
            switch result {
            case .delivered: delivered(request, response, &pass)
            case .dropped(let reason): [Action.drop(request.events, reason, response)]
            case .refused(let reason): failed(request, reason, response, .zero, &pass, queued)
            case .failed(let retryAfter): failed(request, nil, response, retryAfter, &pass, queued)
            }
        return actions + sendMore(&pass)
    }

    private mutating func note(
        _ result: CollectorResult, _ response: Result<HTTPTransportResponse, HTTPTransportError>, at time: Date
    ) {
        (status.lastResponse, status.lastResponseTime) = (response.summary, time)
        if result == .delivered {
            (status.lastSuccessTime, status.failingSince) = (time, nil)
        } else if response.isCancelled {
            // A request that the SDK ended is no evidence about the collector.
            return
        } else {
            (status.lastFailingResponse, status.lastFailingResponseTime) = (response.summary, time)
            if result == .dropped(.notRetried) { noteFailure() }
        }
        history.append(isFailure: result != .delivered)
    }

    /// Notes that requests fail since the last one.
    private mutating func noteFailure() {
        if status.failingSince == nil, !isOutdated { status.failingSince = status.lastResponseTime }
    }

    private mutating func delivered(
        _ request: CollectorRequest, _ response: Result<HTTPTransportResponse, HTTPTransportError>, _ pass: inout Pass
    ) -> [Action] {
        pass.result.hasDelivered = true
        var actions: [Action] = [
            .deliver(request.events), .logDetail(.trace, "\(request.events.count) events were delivered"),
        ]
        if case .failure = response, lines.admit("incomplete", count: 1, at: uptime) != nil {
            let message = "events count as sent, although the answer is not complete: \(response.summary)"
            actions.append(.log(.warning, message))
        }
        isolation.delivered(pass.load, at: uptime)
        if let since = failedSince {
            failedSince = nil
            _ = failureLog.reset("")
            actions.append(.log(.info, "delivery works again after \((uptime - since).inSeconds)"))
        }
        return actions
    }

    private mutating func failed(
        _ request: CollectorRequest, _ reason: DropReason?,
        _ response: Result<HTTPTransportResponse, HTTPTransportError>, _ retryAfter: Duration, _ pass: inout Pass,
        _ queued: Int
    ) -> [Action] {
        let count = request.events.count
        var actions: [Action] = [.logDetail(.debug, "\(count) events will be tried again: \(response.summary)")]
        if !response.isCancelled { actions.append(.retry(count: count)) }
        // A request that the SDK ended, or that went by settings that have changed since, is no evidence about its events.
        guard !response.isCancelled, !isOutdated else {
            pass.result.retryAfter = .zero
            return actions
        }
        switch isolation.failed(request.events, pass.load, reason, queued: queued, at: uptime) {
        case .drops(let reason):
            if pass.load.turn == nil { noteFailure() }
            return [.drop(request.events, reason, response)]
        case .goesOn:
            (pass.isStopped, pass.result.goesOn) = (true, true)
            if pass.load.turn != nil, lines.admit("set aside", count: 1, at: uptime) != nil {
                let message = "an event fails although others are delivered, and is retried until it expires"
                actions.append(.log(.warning, "\(message): \(response.summary)"))
            }
            return actions
        case .waits:
            pass.result.retryAfter = retryAfter
            noteFailure()
            return actions + logFailure(queued, response)
        }
    }

    private mutating func logFailure(
        _ queued: Int, _ response: Result<HTTPTransportResponse, HTTPTransportError>
    ) -> [Action] {
        let since = failedSince ?? uptime
        failedSince = since
        guard failureLog.admit("", count: 1, at: uptime) != nil else { return [] }
        let duration = uptime > since ? " for \((uptime - since).inSeconds)" : ""
        let message = "delivery has failed\(duration), \(queued) events wait and are retried: \(response.summary)"
        return [.log(.warning, message)]
    }

    /// Sends the next requests of a pass, several at a time if the settings allow it; stops a pass without any.
    private mutating func sendMore(_ pass: inout Pass) -> [Action] {
        var actions: [Action] = []
        let maximum = pass.load.settings.emitter.threadPoolSize ?? 1
        let mayBegin = maySend && !pass.isStopped && pass.result.retryAfter == nil
        while mayBegin, pass.underWay < maximum, let request = pass.waiting.popLast() {
            pass.underWay += 1
            actions.append(.send(request, pass.load.settings))
        }
        if pass.underWay > 0 {
            phase = .sending(pass)
            return actions
        }
        phase = .ending(pass.result)
        return actions + [.endPass]
    }
}

extension DeliveryState.Action {
    fileprivate static func drop(
        _ events: [StoredEvent], _ reason: DropReason, _ response: Result<HTTPTransportResponse, HTTPTransportError>
    ) -> Self {
        .drop(events, reason, detail: response.summary, response: response.bodyExcerpt)
    }
}

extension Result<HTTPTransportResponse, HTTPTransportError> {
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
        case .success(let response): response.summary
        case .failure(let error):
            error.status.map { "the collector answered \($0), but \(error.reason)" } ?? error.reason
        }
    }
}

extension HTTPTransportResponse {
    private static let maxShownLength = 300

    /// The sender and the status of the response; of a failure, the URL without query and the target of a redirect as well.
    fileprivate var summary: String {
        let answer = "the \(status == Self.proxyAuthenticationRequired ? "proxy" : "collector") answered \(status)"
        guard !(200...299 ~= status) else { return answer }
        let place = url.map { " to \(Self.shown(String($0.prefix { $0 != "?" })))" } ?? ""
        let target = 300...399 ~= status ? header("Location").map { ", a redirect to \(Self.shown($0))" } ?? "" : ""
        return answer + place + target
    }

    private static func shown(_ url: String) -> String { EndpointURL.withoutSecrets(url).oneLine(most: maxShownLength) }
}

extension Duration {
    /// The duration in seconds, as a sentence has it: `4 s`.
    fileprivate var inSeconds: String {
        let seconds = self / .seconds(1)
        let tenths = (seconds * 10).rounded() / 10
        return seconds < 10 && tenths.rounded() != tenths ? "\(tenths) s" : "\(Int(seconds.rounded())) s"
    }
}
