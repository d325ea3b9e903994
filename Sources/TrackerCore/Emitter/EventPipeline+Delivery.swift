extension EventPipeline {
    /// Changes the state of a namespace's delivery, and performs the resulting actions.
    /// - Parameters:
    ///   - emitter: The namespace's emitter.
    ///   - event: Calls the method for the event, with the number of the namespace's unsent events.
    func updateDelivery(of emitter: NamespaceEmitter, _ event: (inout DeliveryState, Int) -> [DeliveryState.Action]) {
        let queued = store.amount(of: emitter.index).events
        let uptime = time.uptime
        let actions = emitter.withDelivery { delivery in
            delivery.uptime = uptime
            return event(&delivery, queued)
        }
        for action in actions { perform(action, emitter) }
        publishUnsent(of: emitter)
    }

    /// Updates delivery after a tracker was created, changed, paused, resumed or removed.
    func settingsChanged(of emitter: NamespaceEmitter) {
        openPartitions()
        updateDelivery(of: emitter) { $0.settingsChanged(queued: $1) }
    }

    private func perform(_ action: DeliveryState.Action, _ emitter: NamespaceEmitter) {
        switch action {
        case .startTimer(let duration):
            // A timer that is replaced just before it fires has no effect.
            let timer = after(duration) { pipeline in pipeline.updateDelivery(of: emitter) { $0.timerFired(queued: $1) }
            }
            emitter.state.exchange(\.timer, timer)?.cancel()
        case .cancelTimer: emitter.state.exchange(\.timer, nil)?.cancel()
        case .load(let load):
            // In a separate task, so that storing events of other namespaces does not wait for it.
            Task.unbound { self.perform(load, emitter) }
        case .send(let request, let settings): send(request, settings, emitter)
        case .cancelRequests: for task in emitter.state.withLock({ $0.requests }).values { task.cancel() }
        case .endPass:
            store.endLoad(emitter.index)
            publishOldest(of: emitter)
            let fraction = jitter.nextFraction()
            updateDelivery(of: emitter) { $0.passEnded(queued: $1, fraction: fraction) }
        case .delivered(let events):
            store.remove(events.map(\.id), of: emitter.index)
            emitter.count { $0.sent += events.count }
            tap.settle(events)
        case .drop(let events, let reason, let detail, let response):
            // Before the store passes the events on, because the store knows no detail.
            tap.settle(events, dropped: reason, detail: detail)
            store.drop(events, of: emitter.index, reason)
            emitter.countDropped(events.count, reason)
            reportLoss(emitter, reason, events.count, detail, response: response)
        case .resumeFlushes(let ids):
            for id in ids { emitter.state.withLock { $0.flushes.removeValue(forKey: id) }?.resume() }
        case .lookForEvents: takeOverSoon()
        case .log(let level, let message): log.scoped(to: emitter.namespace).log(level, message)
        case .logDetail(let level, let message):
            let ownLevel = emitter.settings?.tracker.logLevel ?? .off
            log.scoped(to: emitter.namespace, level: ownLevel).log(level, message)
        }
    }

    private func perform(_ load: DeliveryState.Load, _ emitter: NamespaceEmitter) {
        let loaded = store.load(emitter.index, load.choice, except: load.excluded)
        applyChanges()
        guard let loaded else { return updateDelivery(of: emitter) { state, _ in state.loadFailed() } }
        // Outside the emitter's lock, because planning may take milliseconds.
        let requests = CollectorRequest.plan(loaded.events, settings: load.settings)
        updateDelivery(of: emitter) { state, _ in state.requestsPlanned(requests, isLimited: loaded.isLimited) }
    }

    private func send(_ request: CollectorRequest, _ settings: EffectiveSettings, _ emitter: NamespaceEmitter) {
        emitter.count { $0.requests += 1 }
        lastID += 1
        let id = lastID
        // The body is built on Swift's pool: the pipeline's thread stores events in the meantime.
        let task = Task.unbound { @concurrent [transport, time] in
            let http = request.httpRequest(settings, sentAt: time.wallTime)
            let start = time.uptime
            let response: CollectorResponse
            do throws(HTTPTransportError) {
                response = .success(try await transport.send(http))
            } catch {
                response = .failure(error)
            }
            emitter.countEnd(of: response, after: time.uptime - start)
            await self.received(response, to: request, id, emitter)
        }
        emitter.state.withLock { $0.requests[id] = task }
    }

    private func received(
        _ response: CollectorResponse, to request: CollectorRequest, _ id: UInt64, _ emitter: NamespaceEmitter
    ) {
        emitter.state.withLock { $0.requests[id] = nil }
        let wallTime = time.wallTime
        updateDelivery(of: emitter) { $0.responseReceived(response, to: request, queued: $1, wallTime: wallTime) }
    }

    /// Updates the published values of a namespace to include all events tracked so far.
    func publishAll(of emitter: NamespaceEmitter) {
        drain()
        openPartitions()
        publishOldest(of: emitter)
    }

    /// Publishes the amount of a namespace's unsent events, and the available space.
    func publishUnsent(of emitter: NamespaceEmitter) {
        emitter.publish(
            unsent: store.amount(of: emitter.index), availableBytes: store.availableBytes(for: emitter.index),
            at: time.uptime, wallTime: time.wallTime)
    }

    /// Publishes the time of the oldest unsent event in the store.
    func publishOldest(of emitter: NamespaceEmitter) {
        guard store.amount(of: emitter.index).events > 0 else { return emitter.publish(oldestEventTime: nil) }
        // A store that cannot be read is reported when its events are loaded.
        if let oldest = store.oldestTime(of: emitter.index) { emitter.publish(oldestEventTime: oldest) }
    }
}
