/// The answer to one of a pass's requests.
private struct Reply: Sendable {
    let index: Int
    let answer: Result<HTTPResponse, HTTPTransportError>
}

extension EventPipeline {
    /// Follows a tracker that was made, changed, paused, resumed or removed.
    func follow(_ outbox: Outbox) {
        openLanes()
        let number = outbox.number
        if outbox.isSending && !isClosed {
            let lane = lanes[number]
            let action = lane.schedule.isPaused ? lanes[number].schedule.resume(queued: lane.queued) : threshold(number)
            perform(action, number)
        } else {
            lanes[number].schedule.pause()
            lanes[number].timer?.cancel()
            finishFlushes(number)
        }
    }

    /// Lets the schedule see how many events there are.
    func threshold(_ number: Int) -> EmissionSchedule.Action {
        let size = lanes[number].outbox.settings?.emitter.bufferOption?.size ?? 1
        return lanes[number].schedule.eventsStored(queued: lanes[number].queued, threshold: size)
    }

    func perform(_ action: EmissionSchedule.Action, _ number: Int) {
        switch action {
        case .none: break
        case .startPass:
            lanes[number].timer?.cancel()
            lanes[number].pass = Task { await self.pass(number) }
        case .startTimer(let duration):
            lanes[number].timer?.cancel()
            lanes[number].timer = Task { [weak self, time] in
                guard await time.sleepsToTheEnd(of: duration) else { return }
                await self?.timerFired(number)
            }
        }
    }

    private func timerFired(_ number: Int) {
        // A timer that was replaced just before it fired is none any more.
        guard !Task.isCancelled else { return }
        perform(lanes[number].schedule.timerFired(queued: lanes[number].queued), number)
    }

    /// Sends the oldest events of a lane, in as many requests as they need.
    private func pass(_ number: Int) async {
        let outbox = lanes[number].outbox
        var result = EmissionSchedule.PassResult.done(isFull: false)
        if let settings = outbox.settings, !isClosed {
            do throws(EventStoreError) {
                let limit = settings.emitter.emitRange ?? 1
                let events = try oldestEvents(number, limit: limit)
                // The count is kept, not asked for; where it was wrong, it is put right here.
                if events.isEmpty { lanes[number].queued = 0 }
                lanes[number].lastInFlight = events.last?.id ?? 0
                result = .done(isFull: events.count == limit)
                let index = lanes[number].choice.next(of: settings.endpoints.count, at: time.uptime)
                // A probe of the first collector is one request, not a whole pass.
                let isProbe = index != lanes[number].choice.current
                let requests = CollectorRequest.plan(events, settings: settings).prefix(isProbe ? 1 : .max)
                let failure = await send(Array(requests), settings, to: settings.endpoints[index], number)
                let goesOn = lanes[number].choice.passEnded(
                    index, hasFailed: failure != nil, count: settings.endpoints.count, at: time.uptime)
                if let failure { result = goesOn ? .done(isFull: true) : failure }
                if isProbe && failure == nil { result = .done(isFull: true) }
            } catch {
                log.error("unsent events of \(outbox.namespace.excerpt) cannot be read: \(error.reason)")
                result =
                    error.code == .corrupt && replaceDamagedStore()
                    ? .done(isFull: true) : .failed(retryAfter: nil)
            }
        }
        lanes[number].lastInFlight = 0
        lanes[number].pass = nil
        let lane = lanes[number]
        if lane.queued == 0 { finishFlushes(number) }
        let action = lanes[number].schedule.passEnded(
            result, queued: lane.queued, threshold: outbox.settings?.emitter.bufferOption?.size ?? 1,
            isFlushing: !lane.flushes.isEmpty, fraction: jitter.nextFraction())
        if case .startTimer(let wait) = action, case .failed = result {
            scopedLog(outbox).debug("the next try is in \(wait)")
        }
        if !isClosed { perform(action, number) }
    }

    /// Sends requests, several at a time where the settings allow it, until one fails.
    /// - Returns: The failure, nil where all requests were answered for good.
    private func send(
        _ requests: [CollectorRequest], _ settings: EffectiveSettings, to endpoint: EndpointURL, _ number: Int
    ) async -> EmissionSchedule.PassResult? {
        let outbox = lanes[number].outbox
        let generation = storeGeneration
        return await withTaskGroup(of: Reply.self, returning: EmissionSchedule.PassResult?.self) { group in
            var failure: EmissionSchedule.PassResult?
            var free = settings.emitter.threadPoolSize ?? 1
            var next = 0
            while true {
                while free > 0, failure == nil, outbox.isSending, !isClosed, next < requests.count {
                    let (request, index) = (requests[next], next)
                    free -= 1
                    next += 1
                    outbox.countRequest()
                    group.addTask { [transport, time] in
                        let http = request.httpRequest(settings, to: endpoint, sentAt: time.wallTime)
                        return Reply(index: index, answer: await transport.answer(to: http))
                    }
                }
                guard let reply = await group.next() else { return failure }
                free += 1
                // After damage the ids are those of a store that is gone: what was salvaged of it is sent again.
                guard generation == storeGeneration else { continue }
                if let kept = settle(requests[reply.index], reply.answer, settings, number) { failure = kept }
            }
        }
    }

    /// Does with a request's events what the answer says.
    private func settle(
        _ request: CollectorRequest, _ answer: Result<HTTPResponse, HTTPTransportError>,
        _ settings: EffectiveSettings, _ number: Int
    ) -> EmissionSchedule.PassResult? {
        let outbox = lanes[number].outbox
        let log = scopedLog(outbox)
        let count = request.events.count
        let meaning = CollectorAnswer(
            answer, isOversized: request.isOversized, settings: settings.emitter, now: time.wallTime)
        lanes[number].lastAnswer = answer.summary
        lanes[number].history.append(isFailure: meaning != .delivered)
        outbox.onRequest?(
            CollectorRequestReport(
                namespace: outbox.namespace, eventCount: count, status: answer.status, summary: answer.summary,
                isDelivered: meaning == .delivered))
        switch meaning {
        case .delivered:
            remove(request.events, number)
            outbox.countSent(count)
            log.trace("\(count) events were delivered")
        case .dropped(let reason):
            remove(request.events, number)
            outbox.countDropped(count, reason)
            outbox.reporter?(reason, "\(count) events were dropped (\(reason.rawValue)): \(answer.summary)")
        case .kept(let retryAfter):
            outbox.countRetried(count)
            log.debug("\(count) events will be tried again: \(answer.summary)")
            return .failed(retryAfter: retryAfter)
        }
        return nil
    }
}

extension HTTPTransport {
    fileprivate func answer(to request: HTTPRequest) async -> Result<HTTPResponse, HTTPTransportError> {
        do throws(HTTPTransportError) {
            return .success(try await send(request))
        } catch {
            return .failure(error)
        }
    }
}

extension Result<HTTPResponse, HTTPTransportError> {
    fileprivate var status: Int? {
        switch self {
        case .success(let response): response.status
        case .failure(let error): error.status
        }
    }

    /// The answer in a few words, for the log.
    fileprivate var summary: String {
        switch self {
        case .success(let response): "the collector answered \(response.status)"
        case .failure(let error): error.reason
        }
    }
}
