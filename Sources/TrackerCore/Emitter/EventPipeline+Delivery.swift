extension EventPipeline {
    /// Passes an event to a namespace's delivery, and does what follows from it.
    /// - Parameters:
    ///   - emitter: The namespace's emitter.
    ///   - event: Calls the method for the event, with the number of the namespace's unsent events.
    func deliver(_ emitter: NamespaceEmitter, _ event: (inout DeliveryState, Int) -> [DeliveryState.Action]) {
        let queued = storage.amount(of: emitter.index).events
        let uptime = time.uptime
        let actions = emitter.withDelivery { delivery in
            delivery.uptime = uptime
            return event(&delivery, queued)
        }
        for action in actions { perform(action, emitter) }
        publishUnsent(of: emitter)
    }

    /// Lets delivery follow a tracker that was made, changed, paused, resumed or removed.
    func follow(_ emitter: NamespaceEmitter) {
        openPartitions()
        raiseStagingLimit(for: emitter)
        deliver(emitter) { $0.settingsChanged(queued: $1) }
    }

    private func perform(_ action: DeliveryState.Action, _ emitter: NamespaceEmitter) {
        switch action {
        case .startTimer(let duration):
            setTimer(
                of: emitter,
                Task.unbound { [weak self, time] in
                    guard await time.sleepUnlessCancelled(for: duration) else { return }
                    await self?.timerFired(emitter)
                })
        case .cancelTimer: setTimer(of: emitter, nil)
        case .load(let load):
            // In a turn of its own, so that stored events of other namespaces do not wait for it.
            Task.unbound { self.perform(load, emitter) }
        case .send(let request, let endpoint, let settings): send(request, to: endpoint, settings, emitter)
        case .cancelRequests: for task in emitter.withWork({ $0.requests }).values { task.cancel() }
        case .endPass:
            storage.release(emitter.index)
            publishOldest(of: emitter)
            let fraction = jitter.nextFraction()
            deliver(emitter) { $0.passEnded(queued: $1, fraction: fraction) }
        case .deliver(let events):
            storage.remove(events, of: emitter.index)
            // Before a kill can restore them.
            storage.release(to: queue)
            emitter.countSent(events.count)
            tap.settle(events)
        case .drop(let events, let reason, let detail, let response):
            // Before the storage passes them on, which knows no detail.
            tap.settle(events, dropped: reason, detail: detail)
            storage.drop(events, of: emitter.index, reason)
            storage.release(to: queue)
            emitter.countDropped(events.count, reason)
            reportLoss(emitter, reason, events.count, detail, response: response)
        case .retry(let count): emitter.countRetried(count)
        case .resumeFlushes(let ids):
            for id in ids { emitter.withWork { $0.flushes.removeValue(forKey: id) }?.resume() }
        case .lookForEvents: adoptSoon()
        case .report(let report): emitter.requestHandlers.call { $0(report) }
        case .log(let level, let message): log.scoped(to: emitter.namespace).log(level, message)
        case .logDetail(let level, let message):
            let ownLevel = emitter.settings?.tracker.logLevel ?? .off
            log.scoped(to: emitter.namespace, level: ownLevel).log(level, message)
        }
    }

    private func setTimer(of emitter: NamespaceEmitter, _ timer: Task<Void, Never>?) {
        let old = emitter.withWork { work in
            defer { work.timer = timer }
            return work.timer
        }
        old?.cancel()
    }

    private func timerFired(_ emitter: NamespaceEmitter) {
        // A timer that was replaced just before it fired counts no more.
        guard !Task.isCancelled else { return }
        deliver(emitter) { $0.timerFired(queued: $1) }
    }

    private func perform(_ load: DeliveryState.Load, _ emitter: NamespaceEmitter) {
        let loaded = storage.load(emitter.index, limit: load.limit, except: load.excluded, single: load.single)
        applyChanges()
        switch loaded {
        case .events(let events, let isLimited):
            // Outside the emitter's lock, because it may take milliseconds.
            let requests = CollectorRequest.plan(events, settings: load.settings, knownLimit: load.knownLimit)
            deliver(emitter) { state, _ in state.requestsPlanned(requests, isLimited: isLimited) }
        case .replaced: deliver(emitter) { state, _ in state.loadFailed(isReplaced: true) }
        case .failed: deliver(emitter) { state, _ in state.loadFailed(isReplaced: false) }
        }
    }

    private func send(
        _ request: CollectorRequest, to endpoint: EndpointURL, _ settings: EffectiveSettings,
        _ emitter: NamespaceEmitter
    ) {
        emitter.countRequest()
        nextRequest += 1
        let id = nextRequest
        // The body is built on Swift's pool: the pipeline's thread stores events in the meantime.
        let task = Task.unbound { @concurrent [transport, time] in
            let http = request.httpRequest(settings, to: endpoint, sentAt: time.wallTime)
            let start = time.uptime
            let response = await transport.response(to: http)
            emitter.countEnd(of: response, after: time.uptime - start)
            await self.received(response, to: request, id, emitter)
        }
        emitter.withWork { $0.requests[id] = task }
    }

    private func received(
        _ response: Result<HTTPTransportResponse, HTTPTransportError>, to request: CollectorRequest, _ id: UInt64,
        _ emitter: NamespaceEmitter
    ) {
        emitter.withWork { $0.requests[id] = nil }
        let isCurrent = storage.isCurrent(emitter.index)
        let wallTime = time.wallTime
        if case .failure(let error) = response, let status = error.status, 200...299 ~= status {
            emitter.countIncompleteResponse()
        }
        deliver(emitter) {
            $0.responseReceived(response, to: request, isCurrent: isCurrent, queued: $1, wallTime: wallTime)
        }
    }
}

extension HTTPTransport {
    /// Sends a request.
    func response(to request: HTTPTransportRequest) async -> Result<
        HTTPTransportResponse, HTTPTransportError
    > {
        do throws(HTTPTransportError) {
            return .success(try await send(request))
        } catch {
            return .failure(error)
        }
    }
}
