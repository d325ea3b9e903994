import TrackerCore

extension ServiceProcess {
    /// Tracks events, which are in a segment when this returns.
    /// - Parameters:
    ///   - namespace: The index of the namespace in ``DocumentServer/namespaces``.
    ///   - count: The number of events.
    ///   - isSynced: Whether even a power failure may not lose them once they are stored.
    func track(_ namespace: Int, count: Int, isSynced: Bool) {
        let name = DocumentServer.namespaces[namespace]
        guard let index = deliveries.firstIndex(where: { $0.emitter.namespace == name }),
            deliveries[index].emitter.withDelivery({ $0.settings }) != nil
        else { return world.say("process \(seat) has no tracker \(name)") }
        var ids: [Int] = []
        for _ in 0..<count {
            let id = world.ledger.track(namespace: namespace)
            ids.append(id)
            let filler = world.dice.chance(percent: 5) ? world.dice.within(900...3_000) : world.dice.below(80)
            let isAnonymous = world.dice.chance(percent: 10)
            Ledger.payload(id, namespace: name, filler: filler).withUnsafeBytes { payload in
                let record = EventRecord(
                    namespace: index, isAnonymous: isAnonymous, time: world.clock.wallTime, sequence: nextSequence,
                    payload: payload)
                guard case .accepted(_, _, let isLow) = store.eventLog.intake.append(record, waiter: nil) else {
                    return world.fail("process \(seat) has no room for event \(id)")
                }
                if isLow { store.eventLog.pool.grow(isPopulated: false) }
            }
            nextSequence += 1
            deliveries[index].emitter.countTracked()
        }
        world.coverage.count(.tracked, count)
        world.say("process \(seat) tracks \(ids) in \(name)\(isSynced ? ", committed" : "")")
        let isFirst = queued.isEmpty
        queued[index, default: []] += ids
        if isSynced {
            drain(isSynced: true)
        } else if isFirst {
            world.agenda.add(.drain, at: world.clock.milliseconds + Int64(world.dice.below(6)), of: life)
        }
    }

    /// Lets the store take what was tracked.
    /// - Parameter isSynced: Whether even a power failure may not lose them once they are stored.
    func drain(isSynced: Bool) {
        isCheckDue = true
        world.agenda.removeAll(of: life) { if case .drain = $0 { true } else { false } }
        guard !queued.isEmpty else { return }
        queued = [:]
        // Until what a broken disk left in memory is sent or stored, later events may have to wait there too.
        let mayFail = disk.fault != nil || store.memoryOnlyWaiting > 0 || store.slot == nil
        let result = store.accept(store.eventLog.intake.drain(), isSynced: isSynced) { _ in nil }
        if case .success = result {
            if isSynced { noteSync() }
        } else {
            world.coverage.count(.memoryFallbacks)
            if !mayFail { world.fail("process \(seat) could not store events on a disk that works: \(result)") }
        }
        applyChanges()
        store.reopen()
        applyChanges()
    }

    /// Passes an event to a delivery, and does what follows from it.
    func deliver(_ index: Int, _ event: (inout DeliveryState, Int) -> [DeliveryState.Action]) {
        isCheckDue = true
        let emitter = deliveries[index].emitter
        let queued = store.amount(of: index).events
        let actions = emitter.withDelivery { delivery in
            delivery.uptime = world.clock.uptime
            return event(&delivery, queued)
        }
        for action in actions { perform(action, index) }
        emitter.publish(
            unsent: store.amount(of: index), availableBytes: store.availableBytes(for: index),
            at: world.clock.uptime, wallTime: world.clock.wallTime)
    }

    private func perform(_ action: DeliveryState.Action, _ index: Int) {
        let now = world.clock.milliseconds
        switch action {
        case .startTimer(let duration):
            cancelDeliveryTimer(index)
            let wait = Int64(duration / .milliseconds(1))
            if wait < 0 || !mayWait(wait, index) { world.fail("a delivery waits for \(wait) ms") }
            if world.sabotage == .losesTimer, wait > 1_500 { return }
            world.agenda.add(.deliveryTimer(namespace: index), at: now + wait, of: life)
        case .cancelTimer: cancelDeliveryTimer(index)
        case .load(let load):
            world.agenda.add(.load(namespace: index, load), at: now + Int64(world.dice.below(3)), of: life)
        case .send(let request, let settings): send(request, settings.endpoint, index)
        case .cancelRequests: cancelRequests(index)
        case .endPass:
            store.endLoad(index)
            publishOldest(index)
            let fraction = world.dice.fraction()
            deliver(index) { $0.passEnded(queued: $1, fraction: fraction) }
        case .delivered(let events): settle(events, index)
        case .drop(let events, let reason, _, _):
            store.drop(events, of: index, reason)
            if world.sabotage != .forgetsDrop { deliveries[index].emitter.countDropped(events.count, reason) }
        case .resumeFlushes(let ids):
            for id in ids {
                if flushes.remove(id) == nil { world.fail("flush \(id) of process \(seat) ends twice") }
                world.agenda.removeAll(of: life) { if case .flushTimeout(_, id) = $0 { true } else { false } }
            }
        case .lookForEvents: isTakeOverDue = true
        case .log, .logDetail: break
        }
    }

    private func cancelDeliveryTimer(_ index: Int) {
        world.agenda.removeAll(of: life) { if case .deliveryTimer(index) = $0 { true } else { false } }
    }

    private func settle(_ events: [StoredEvent], _ index: Int) {
        for event in events {
            if let id = Ledger.id(of: event) { world.ledger.settle(id) }
        }
        world.coverage.count(.delivered, events.count)
        if world.sabotage != .forgetsRemoval { store.remove(events.map(\.id), of: index) }
        deliveries[index].emitter.count { $0.sent += events.count }
    }

    /// The store passes dropped events on.
    func dropped(_ events: [StoredEvent], _ reason: DropReason) {
        for event in events {
            if let id = Ledger.id(of: event) { world.ledger.drop(id, reason) }
        }
        world.say("process \(seat) drops \(events.compactMap(Ledger.id)): \(reason)")
        world.coverage.count(.dropped, events.count)
    }

    // MARK: Requests

    private func send(_ request: CollectorRequest, _ endpoint: EndpointURL, _ index: Int) {
        let fate = world.network.fate(of: request, to: endpoint, world.dice)
        let flight = Flight(life: life, namespace: index, request: request, isTaken: fate.isTaken, result: fate.result)
        let now = world.clock.milliseconds
        world.checkNamespaces([deliveries[index].emitter.namespace: flight.ids], "a request")
        world.say("process \(seat) sends \(flight.ids) to \(endpoint.text): \(fate.name)")
        world.coverage.count(.requests)
        if fate.isTaken { world.agenda.add(.arrival(flight), at: now + Int64(fate.arrival), of: nil) }
        let answer = fate.isTaken && fate.result.isTaken ? max(fate.answer, fate.arrival + 1) : fate.answer
        world.agenda.add(.answer(flight), at: now + Int64(min(answer, 45_000)), of: life)
    }

    /// Answers a request.
    func received(_ flight: Flight, _ result: Result<HTTPTransportResponse, HTTPTransportError>) {
        // An answer that says so does not come before the request.
        if result.isTaken { world.arrive(flight) }
        flight.isAnswered = true
        if !result.isTaken {
            // What the service cannot know, it sends again.
            if flight.isTaken { world.ledger.allowDuplicate(flight.ids) }
            let isAnswer = if case .success = result { true } else { false }
            world.coverage.count(flight.isTaken ? .lostAnswers : isAnswer ? .refusedRequests : .lostRequests)
        }
        let index = flight.namespace
        deliveries[index].answered += 1
        if !result.isTaken { deliveries[index].failed += 1 }
        let wallTime = world.clock.wallTime
        deliver(index) {
            $0.responseReceived(result, to: flight.request, queued: $1, wallTime: wallTime)
        }
    }

    /// Answers all requests of a namespace as cancelled, once the action that cancels them is done.
    private func cancelRequests(_ index: Int) {
        let now = world.clock.milliseconds
        var flights: [Flight] = []
        world.agenda.removeAll(of: life) { task in
            guard case .answer(let flight) = task, flight.namespace == index else { return false }
            flights.append(flight)
            return true
        }
        for flight in flights {
            let cancelled = Flight(
                life: life, namespace: index, request: flight.request, isTaken: flight.isTaken,
                result: .failure(HTTPTransportError(.cancelled, reason: "the request was cancelled")))
            world.agenda.add(.answer(cancelled), at: now, of: life)
        }
    }

    /// Events of a namespace are to be sent.
    func load(_ index: Int, _ load: DeliveryState.Load) {
        let loaded = store.load(index, load.choice, except: load.excluded)
        applyChanges()
        guard let loaded else { return deliver(index) { state, _ in state.loadFailed() } }
        let requests = CollectorRequest.plan(loaded.events, settings: load.settings)
        deliver(index) { state, _ in state.requestsPlanned(requests, isLimited: loaded.isLimited) }
    }

    func flush(_ index: Int) {
        drain(isSynced: false)
        guard deliveries[index].emitter.withDelivery(\.maySend), store.amount(of: index).events > 0 else { return }
        nextFlush += 1
        let id = nextFlush
        flushes.insert(id)
        world.coverage.count(.flushes)
        world.agenda.add(.flushTimeout(namespace: index, id: id), at: world.clock.milliseconds + 5_000, of: life)
        deliver(index) { $0.flush(id, queued: $1) }
    }

    func setPaused(_ index: Int, _ isPaused: Bool) {
        deliveries[index].emitter.withDelivery { $0.isPaused = isPaused }
        deliver(index) { $0.settingsChanged(queued: $1) }
    }

    func publishOldest(_ index: Int) {
        let emitter = deliveries[index].emitter
        guard store.amount(of: index).events > 0 else { return emitter.publish(oldestEventTime: nil) }
        // A store that cannot be read is noticed where its events are loaded.
        if let oldest = store.oldestTime(of: index) { emitter.publish(oldestEventTime: oldest) }
    }
}

extension Result<HTTPTransportResponse, HTTPTransportError> {
    /// Whether the answer says that the collector took the events.
    var isTaken: Bool {
        switch self {
        case .success(let response): 200...299 ~= response.status
        case .failure(let error): error.status.map { 200...299 ~= $0 } ?? false
        }
    }
}
