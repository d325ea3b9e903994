public import FoundationEssentials
import Synchronization

extension Tracker {
    /// Tracks an event: fixes all that it carries and leaves it to be stored and sent.
    ///
    /// Does no I/O, never waits and never throws. The event is on disk a few milliseconds later.
    /// - Parameters:
    ///   - event: What happened.
    ///   - entities: What it happened with, beside the entities that the settings attach.
    ///   - trueTimestamp: When it really happened, where that is known better than by the clock now.
    /// - Returns: The event's id, nil where it was not tracked; ``counters`` say why, and so does the log where
    ///   ``TrackerConfiguration/logLevel`` lets it.
    @discardableResult
    public func track(_ event: some Event, entities: [Entity] = [], trueTimestamp: Date? = nil) -> EventID? {
        // The reason of a failure is counted and logged where it arises.
        try? enqueue(event, entities, trueTimestamp, waiter: nil).get()
    }

    /// Tracks an event and waits until it is on disk, where not even a power failure loses it.
    /// - Parameters:
    ///   - event: What happened.
    ///   - entities: What it happened with, beside the entities that the settings attach.
    ///   - trueTimestamp: When it really happened, where that is known better than by the clock now.
    /// - Returns: The event's id.
    /// - Throws: ``TrackingError`` where the event was not tracked, or was but is in memory only.
    @discardableResult
    public func trackCommitted(
        _ event: some Event, entities: [Entity] = [], trueTimestamp: Date? = nil
    ) async throws(TrackingError) -> EventID {
        let taken = Locked<Result<EventID, TrackingError>?>(nil)
        let stored = await withCheckedContinuation { continuation in
            let result = enqueue(event, entities, trueTimestamp, waiter: continuation)
            taken.withLock { $0 = result }
            // An event that was not taken is never answered.
            if case .failure = result { continuation.resume(returning: .success(())) }
        }
        guard let id = try taken.withLock({ $0 })?.get() else { throw TrackingError(.dropped(.invalid), id: nil) }
        if case .failure(let error) = stored { throw TrackingError(.notDurable(error), id: id) }
        return id
    }

    private func enqueue(
        _ event: some Event, _ entities: [Entity], _ trueTimestamp: Date?,
        waiter: CheckedContinuation<Result<Void, EventStoreError>, Never>?
    ) -> Result<EventID, TrackingError> {
        // In a forked child a lock may be held by a thread that does not exist there.
        guard pipeline.forkGuard.isOwnProcess else {
            namespaceEmitter.countForked()
            return .failure(TrackingError(.dropped(.forked), id: nil))
        }
        let content = event.content
        let trueTime = trueTimestamp.map { ($0.timeIntervalSince1970 * 1000).rounded() }
        // Fourteen digits, the year 5138, are what collectors read; NaN is outside too.
        if let trueTime, !(trueTime.magnitude < 1e14) { return refuse(.invalid, "its true timestamp is out of range") }
        let own = event.entities
        let extensions = hasExtensions.load(ordering: .acquiring) ? state.withLock { $0.extensions } : nil
        var attached = entities
        if let extensions {
            let seen = TrackedEvent(id: nil, content: content, entities: own + entities)
            guard extensions.admits(seen) else {
                namespaceEmitter.countRefused(.filtered)
                return .failure(TrackingError(.dropped(.filtered), id: nil))
            }
            attached += extensions.entities(for: seen)
        }
        // Before the event counts for a session or a screen, which must not begin with an event that is never sent.
        if let fault = content.fault ?? own.fault ?? attached.fault { return refuse(.invalid, fault) }
        let source: EventEncoder.Source
        switch admit(content, own, attached, trueTime.map { Int64($0) }) {
        case .success(let admitted): source = admitted
        case .failure(let reason): return refuse(reason, "the tracker takes no events")
        }
        var encoder = EventEncoder()
        encoder.encode(source)
        let admission = pipeline.queue.append(
            encoder.row.bytes, namespace: namespaceEmitter.index, isAnonymous: source.settings.isServerAnonymous,
            time: source.wallTime, waiter: waiter)
        switch admission {
        case .accepted(let isFirst, let isLarge):
            namespaceEmitter.countTracked()
            pipeline.tap.offer(encoder.row.bytes, of: namespace)
            if isFirst || isLarge {
                pipeline.drainSoon(withinMilliseconds: isLarge ? 0 : EventPipeline.commitWindow)
            }
            if let session = source.session, session.isFirst {
                extensions?.onSessionStart?(
                    SessionStart(
                        id: session.id, previousID: session.previousID, index: session.index, userID: session.userID))
            }
            extensions?.afterTrack(TrackedEvent(id: source.id, content: content, entities: own + attached))
            return .success(source.id)
        case .full: return refuse(.queueFull, "the store is too slow for so many events")
        case .closed: return refuse(.shutDown, "the SDK was shut down")
        }
    }

    /// Fixes, under the lock, what an event takes from its tracker.
    private func admit(
        _ content: EventContent, _ own: [Entity], _ entities: [Entity], _ trueTime: Int64?
    ) -> Result<EventEncoder.Source, DropReason> {
        let wallTime = pipeline.time.wallTime
        let uptime = pipeline.time.uptime
        return state.withLock { state in
            if state.isRemoved { return .failure(.removed) }
            if state.isPaused { return .failure(.paused) }
            let settings = state.settings
            let id = EventID(high: state.random.next(), low: state.random.next())
            let previousScreen = state.screen
            if case .screenView(let view) = content { state.screen = Screen(view: view, id: id) }
            var session: Session.Stamp?
            if settings.hasSession {
                let occasion = Session.Activity(event: id, wallTime: wallTime, uptime: uptime)
                let (high, low) = (state.random.next(), state.random.next())
                session = state.session.advance(occasion, timeouts: settings.session) { EventID(high: high, low: low) }
            }
            return .success(
                EventEncoder.Source(
                    content: content, entities: own, moreEntities: entities, id: id, wallTime: wallTime,
                    trueTime: trueTime, session: session, screen: state.screen,
                    previousScreen: previousScreen, settings: settings))
        }
    }

    private func refuse(_ reason: DropReason, _ message: String) -> Result<EventID, TrackingError> {
        namespaceEmitter.countRefused(reason)
        pipeline.reportLoss(namespaceEmitter, reason, 1, message)
        return .failure(TrackingError(.dropped(reason), id: nil))
    }
}
