/// The answer to one of a pass's requests.
private struct Reply: Sendable {
    let request: CollectorRequest
    let answer: Result<HTTPResponse, HTTPTransportError>
}

extension EventPipeline {
    /// Follows a tracker that was made, changed, paused, resumed or removed.
    func follow(_ outbox: Outbox) {
        openLanes()
        let number = outbox.number
        if outbox.isSending && !isClosed {
            followNetwork(number)
            let lane = lanes[number]
            let action =
                lane.schedule.isPaused ? lanes[number].schedule.resume(queued: queued(number)) : threshold(number)
            perform(action, number)
        } else {
            lanes[number].schedule.pause()
            lanes[number].timer?.cancel()
            finishFlushes(number)
        }
    }

    /// Lets changed network settings take effect at once: what earlier requests led to says nothing about them.
    private func followNetwork(_ number: Int) {
        let lane = lanes[number]
        guard let network = lane.outbox.settings?.network, network != lane.network else { return }
        lanes[number].network = network
        guard lane.network != nil else { return adoptSoon() }
        lanes[number].choice = CollectorChoice()
        lanes[number].bodyLimit = nil
        // A pass that may wait for a broken collector is not waited for.
        if lane.schedule.failuresInARow > 0 { lane.pass?.cancel() }
        perform(lanes[number].schedule.settingsChanged(queued: queued(number)), number)
    }

    /// Lets the schedule see how many events there are.
    func threshold(_ number: Int) -> EmissionSchedule.Action {
        let size = lanes[number].outbox.settings?.emitter.bufferOption?.size ?? 1
        return lanes[number].schedule.eventsStored(queued: queued(number), threshold: size)
    }

    /// The number of a namespace's unsent events.
    func queued(_ number: Int) -> Int { storage.amount(of: number).events }

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
        perform(lanes[number].schedule.timerFired(queued: queued(number)), number)
    }

    /// Sends the oldest events of a lane, in as many requests as they need.
    private func pass(_ number: Int) async {
        let outbox = lanes[number].outbox
        var result = EmissionSchedule.PassResult.done(isFull: false)
        if let settings = outbox.settings, !isClosed {
            let limit = EventAmount(events: settings.emitter.emitRange ?? 1, bytes: Self.mostPassBytes)
            let loaded = storage.load(number, limit: limit)
            applyChanges()
            switch loaded {
            case .events(let events, let isLimited):
                result = .done(isFull: isLimited || events.count == limit.events)
                let index = lanes[number].choice.next(of: settings.endpoints.count, at: time.uptime)
                // A probe of the first collector is one request, not a whole pass.
                let isProbe = index != lanes[number].choice.current
                let requests = CollectorRequest.plan(events, settings: settings, knownLimit: lanes[number].bodyLimit)
                    .prefix(isProbe ? 1 : .max)
                let failure = await send(Array(requests), settings, to: settings.endpoints[index], number)
                let goesOn = lanes[number].choice.passEnded(
                    index, hasFailed: failure != nil, count: settings.endpoints.count, at: time.uptime)
                if let failure { result = goesOn ? .done(isFull: true) : failure }
                if isProbe && failure == nil { result = .done(isFull: true) }
            case .replaced: result = .done(isFull: true)
            case .failed: result = .failed(retryAfter: nil)
            }
        }
        storage.release(number)
        lanes[number].pass = nil
        let lane = lanes[number]
        if queued(number) == 0 { finishFlushes(number) }
        let emitter = outbox.settings?.emitter ?? .builtIn
        let action = lanes[number].schedule.passEnded(
            result, queued: queued(number), threshold: emitter.bufferOption?.size ?? 1,
            isFlushing: !lane.flushes.isEmpty, fraction: jitter.nextFraction(),
            maxDelay: emitter.maxRetryDelay ?? .seconds(60))
        if case .startTimer(let wait) = action, case .failed = result {
            scopedLog(outbox).debug("the next try is in \(wait)")
        }
        if !isClosed { perform(action, number) }
    }

    /// Sends requests, several at a time if the settings allow it, until one fails.
    /// - Returns: The failure, nil if all requests were answered for good.
    private func send(
        _ planned: [CollectorRequest], _ settings: EffectiveSettings, to endpoint: EndpointURL, _ number: Int
    ) async -> EmissionSchedule.PassResult? {
        let outbox = lanes[number].outbox
        return await withTaskGroup(of: Reply.self, returning: EmissionSchedule.PassResult?.self) { group in
            var failure: EmissionSchedule.PassResult?
            // An event that is too large by itself holds up no other; alone it is a failure.
            var passedOver: EmissionSchedule.PassResult?
            var hasSettled = false
            var free = settings.emitter.threadPoolSize ?? 1
            // The next one last, so that halves of a request take its place at no cost.
            var waiting = Array(planned.reversed())
            while true {
                while free > 0, failure == nil, outbox.isSending, !isClosed, let request = waiting.popLast() {
                    free -= 1
                    outbox.countRequest()
                    group.addTask { [transport, time] in
                        let http = request.httpRequest(settings, to: endpoint, sentAt: time.wallTime)
                        return Reply(request: request, answer: await transport.answer(to: http))
                    }
                }
                guard let reply = await group.next() else { return failure ?? (hasSettled ? nil : passedOver) }
                free += 1
                // After damage the ids are those of a store that is gone: what was salvaged of it is sent again.
                guard storage.isCurrent(number) else { continue }
                switch settle(reply, settings, number) {
                case .done: hasSettled = true
                case .failed(let kept): failure = kept
                case .passedOver(let kept): passedOver = kept
                case .split(let halves): waiting += halves.reversed()
                }
            }
        }
    }

    /// Does with a request's events what the answer says.
    private func settle(_ reply: Reply, _ settings: EffectiveSettings, _ number: Int) -> Settlement {
        let (request, answer) = (reply.request, reply.answer)
        let outbox = lanes[number].outbox
        let log = scopedLog(outbox)
        let count = request.events.count
        let meaning = CollectorAnswer(
            answer, eventCount: count, isOversized: request.isOversized, settings: settings.emitter, now: time.wallTime)
        lanes[number].lastAnswer = answer.summary
        lanes[number].history.append(isFailure: meaning != .delivered)
        outbox.onRequest?(
            CollectorRequestReport(
                namespace: outbox.namespace, eventCount: count, status: answer.status, summary: answer.summary,
                isDelivered: meaning == .delivered))
        switch meaning {
        case .delivered:
            storage.remove(request.events, of: number)
            outbox.countSent(count)
            log.trace("\(count) events were delivered")
            logSuccess(number)
        case .dropped(let reason):
            storage.remove(request.events, of: number)
            outbox.countDropped(count, reason)
            reportLoss(outbox, reason, count, answer.summary)
        case .split:
            lanes[number].bodyLimit = max(1, request.bodySize / 2)
            log.debug("\(count) events are too large for one request and are sent in halves: \(answer.summary)")
            return .split(request.halves)
        case .kept(let retryAfter):
            outbox.countRetried(count)
            log.debug("\(count) events will be tried again: \(answer.summary)")
            if answer.status == CollectorAnswer.contentTooLarge {
                logTooLarge(number, answer.summary)
                return .passedOver(.failed(retryAfter: retryAfter))
            }
            // A request that was cancelled, as at the end, says nothing about the collector.
            if !answer.isCancelled { logFailure(number, answer.summary) }
            return .failed(.failed(retryAfter: retryAfter))
        }
        return .done
    }
}

/// What an answer means for the requests that follow it.
private enum Settlement {
    case done
    case failed(EmissionSchedule.PassResult)
    case passedOver(EmissionSchedule.PassResult)
    case split([CollectorRequest])
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

    fileprivate var isCancelled: Bool {
        if case .failure(let error) = self { error.code == .cancelled } else { false }
    }

    /// The answer in a few words, for the log.
    fileprivate var summary: String {
        switch self {
        case .success(let response): "the collector answered \(response.status)"
        case .failure(let error): error.reason
        }
    }
}
