public import FoundationEssentials
import Synchronization

extension Tracker {
    /// Tracks an event: encodes it with its entities and its subject, and queues it to be stored and sent.
    ///
    /// It does no I/O, never waits and never throws. Once it has returned an id, the event survives the end of the
    /// process, whatever the cause, if the service has a state directory on a local file system; only a power failure
    /// before the operating system has written it, usually within 30 s, can lose it. The event belongs to the subject
    /// of the request that is bound to the task; see ``TrackingContext``.
    /// - Parameters:
    ///   - event: The event.
    ///   - entities: The entities of the event, in addition to those of the context and the settings.
    ///   - subject: The subject of the event, which takes precedence field by field over all other sources except the
    ///     event itself; nil by default.
    ///   - trueTimestamp: The time of the event, if that is not now.
    /// - Returns: The event's id; nil if it was not tracked. ``counters`` and the log have the reason.
    @discardableResult
    public func track(
        _ event: some Event, entities: [Entity] = [], subject: EventSubject? = nil, trueTimestamp: Date? = nil
    ) -> EventID? {
        // The reason of a failure is counted and logged where it arises.
        try? enqueue(event, entities, subject, trueTimestamp, waiter: nil)
    }

    /// Tracks an event and waits until it is on disk, where a power failure does not lose it.
    /// - Parameters:
    ///   - event: The event.
    ///   - entities: The entities of the event, in addition to those of the context and the settings.
    ///   - subject: The subject of the event, which takes precedence field by field over all other sources except the
    ///     event itself; nil by default.
    ///   - trueTimestamp: The time of the event, if that is not now.
    /// - Returns: The event's id.
    /// - Throws: ``TrackingError`` if the event was not tracked, or is in memory only.
    @discardableResult
    public func trackCommitted(
        _ event: some Event, entities: [Entity] = [], subject: EventSubject? = nil, trueTimestamp: Date? = nil
    ) async throws(TrackingError) -> EventID {
        let stored = EventIntake.Waiter()
        let id = try enqueue(event, entities, subject, trueTimestamp, waiter: stored)
        if case .failure(let error) = await stored.value { throw TrackingError(notDurable: id, cause: error) }
        return id
    }

    /// Tracks an event.
    /// - Parameters:
    ///   - event: The event.
    ///   - subject: The subject.
    /// - Returns: The event's id, or the reason why it was not tracked.
    package func result(of event: some Event, subject: EventSubject? = nil) -> Result<EventID, TrackingError> {
        Result { () throws(TrackingError) in try enqueue(event, [], subject, nil, waiter: nil) }
    }

    /// Tracks an event.
    /// - Parameters:
    ///   - event: The event.
    ///   - added: The entities that the caller passes.
    ///   - argument: The subject that the caller passes.
    ///   - trueTimestamp: The time of the event.
    ///   - waiter: Finished when the accepted event is on disk, or cannot be.
    /// - Returns: The event's id.
    /// - Throws: The reason why it was not tracked.
    func enqueue(
        _ event: some Event, _ added: [Entity], _ argument: EventSubject?, _ trueTimestamp: Date?,
        waiter: EventIntake.Waiter?
    ) throws(TrackingError) -> EventID {
        let content = event.content
        let trueTime = trueTimestamp.map { ($0.timeIntervalSince1970 * 1000).rounded() }
        // Collectors read fourteen digits, up to the year 5138; NaN is outside too.
        if let trueTime, !(trueTime.magnitude < 1e14) { throw refuse(.invalid, "its true timestamp is out of range") }
        // The identity in the event's parameters is sent in any case, so it has precedence over the event's subject.
        let eventSubject = content.identity.map { $0.merged(over: event.subject ?? EventSubject()) } ?? event.subject
        let subject = SubjectLayers(own: eventSubject, argument: argument, bound: TrackingContext.current)
        var entities = event.entities
        entities.add(added)
        var extensions: TrackerExtensions?
        var observed: TrackedEvent?
        // Extensions and the encoder use the same document, even if another one is applied meanwhile.
        var settings: EffectiveSettings?
        if hasExtensions.load(ordering: .acquiring) {
            let (known, current, prepared, fraction, refusal) = state.withLock {
                ($0.extensions, $0.settings, $0.prepared, $0.random.nextFraction(), Self.refusal(in: $0))
            }
            // Before plugins run and count an event that is never sent.
            if let refusal { throw refuse(refusal) }
            let merged = subject.merged(over: current)
            let carried = entities + subject.entities(besides: entities)
            var event = TrackedEvent(
                content: content, entities: merged.isAnonymous ? carried.map(\.anonymised) : carried, subject: merged,
                evaluation: subject.evaluation, traceID: subject.traceID)
            event.experiments = prepared.layers.experiments
            if let rule = current.tracker.sampling, !rule.admits(event, fraction) {
                namespaceEmitter.count { $0.sampledOut += 1 }
                throw .sampledOut
            }
            guard known.admits(event) else {
                namespaceEmitter.countDropped(1, .filtered, isRefused: true)
                throw TrackingError(dropped: .filtered)
            }
            let generated = known.entities(for: event)
            entities.add(generated)
            event.entities.add(generated)
            (extensions, observed, settings) = (known, event, current)
        }
        entities.add(subject.entities(besides: entities))
        // Before the event counts for a session, because no session may begin with an event that is never sent.
        if let fault = content.fault ?? entities.fault { throw refuse(.invalid, fault) }
        let input = EventEncoder.Input(
            content: content, entities: entities, trueTime: trueTime.map { Int64($0) }, subject: subject)
        let stamp = try admit(input, settings)
        try EventEncoder.encode(input, stamp) { (encoder) throws(TrackingError) in
            try submit(encoder, input, stamp, waiter)
        }
        if let extensions, var observed {
            observed.id = stamp.id
            extensions.afterTrack(observed)
        }
        return stamp.id
    }

    /// Determines, under the lock, the values that the tracker adds to an event.
    /// - Parameters:
    ///   - input: The event.
    ///   - observed: The settings that its extensions have seen; nil for those in effect.
    /// - Returns: The values.
    /// - Throws: The reason why the tracker takes no events.
    private func admit(
        _ input: EventEncoder.Input, _ observed: EffectiveSettings?
    ) throws(TrackingError) -> EventEncoder.Stamp {
        let wallTime = pipeline.time.wallTime
        let hasOwnSession = input.entities.contains(where: \.isClientSession)
        let admission = state.withLock { state -> Result<EventEncoder.Stamp, DropReason> in
            if let reason = Self.refusal(in: state) { return .failure(reason) }
            let settings = observed ?? state.settings
            let id = EventID(high: state.random.next(), low: state.random.next())
            state.sequence += 1
            // The session belongs to the tracker's own user.
            let isOwnUser = input.subject.isEmpty || input.subject.isAbout(userOf: settings.subject)
            var session: SessionRecord?
            if settings.hasSession, isOwnUser, !hasOwnSession {
                let newID = EventID(high: state.random.next(), low: state.random.next())
                session = state.session.advance(
                    id, at: wallTime, pipeline.time.uptime, timeout: settings.session.foregroundTimeout, newID: newID)
                // A session belongs to events with a user or to anonymous ones, not to both.
                if observed != nil, settings.isUserAnonymous != state.settings.isUserAnonymous { state.session.end() }
            }
            return .success(
                EventEncoder.Stamp(
                    id: id, sequence: state.sequence, wallTime: wallTime, session: session, isOwnUser: isOwnUser,
                    isAnonymous: settings.isUserAnonymous || input.subject.isAnonymous, settings: settings))
        }
        switch admission {
        case .success(let stamp): return stamp
        case .failure(let reason): throw refuse(reason)
        }
    }

    /// Queues an encoded event.
    private func submit(
        _ encoder: borrowing EventEncoder, _ input: EventEncoder.Input, _ stamp: EventEncoder.Stamp,
        _ waiter: EventIntake.Waiter?
    ) throws(TrackingError) {
        if !encoder.truncated.isEmpty { reportTruncation(encoder.truncated) }
        if encoder.hasMalformedSchema { reportSchemas(of: input) }
        let row = encoder.row.bytes
        let record = EventRecord(
            namespace: namespaceEmitter.index, isAnonymous: stamp.settings.isServerAnonymous, time: stamp.wallTime,
            sequence: stamp.sequence, payload: row)
        switch pipeline.intake.append(record, waiter: waiter) {
        case .accepted(let isFirst, let isLarge, let isLow):
            namespaceEmitter.countTracked()
            if isLow { pipeline.intake.growSoon() }
            pipeline.tap.offer(row, of: namespace)
            if isFirst || isLarge { pipeline.drainSoon(withinMilliseconds: isLarge ? 0 : EventPipeline.commitWindow) }
        case .full:
            throw refuse(.queueFull, "the store is too slow for so many events")
        case .closed:
            throw refuse(.shutDown, "the SDK was shut down")
        }
    }

    /// The reason why the tracker takes no events; nil if it takes them.
    private static func refusal(in state: State) -> DropReason? {
        state.isRemoved ? .removed : state.isPaused ? .paused : nil
    }

    private func refuse(_ reason: DropReason) -> TrackingError {
        refuse(reason, reason == .removed ? "its namespace has no tracker any more" : "the tracker is paused")
    }

    private func refuse(_ reason: DropReason, _ message: String) -> TrackingError {
        namespaceEmitter.countDropped(1, reason, isRefused: true)
        pipeline.reportLoss(namespaceEmitter, reason, 1, message)
        return TrackingError(dropped: reason)
    }

    /// Counts values that were truncated to the bounds of Snowplow's atomic schema, and logs the first of each
    /// parameter.
    private func reportTruncation(_ fields: [AtomicField]) {
        for field in namespaceEmitter.countTruncated(fields) {
            settingsLog.warning(
                "'\(field.rawValue)' had a value outside the bounds of Snowplow's atomic schema, at most \(field.maxLength) "
                    + "characters for text; the beginning was sent, or nothing of a number. Further ones are counted only"
            )
        }
    }

    /// Counts the schemas that are not Iglu URIs, and logs the first event with each.
    private func reportSchemas(of input: EventEncoder.Input) {
        let schemas = (input.content.schema.map { [$0] } ?? []) + input.entities.map(\.schema)
        for schema in schemas where !schema.isIgluURI {
            namespaceEmitter.malformedSchemas.count(
                schema, settingsLog,
                "schema \(schema.excerpt) is no Iglu URI (iglu:VENDOR/NAME/jsonschema/N-N-N): the event is sent, and "
                    + "Enrich makes it a failed event")
        }
    }
}

extension [Entity] {
    /// Appends entities; avoids a copy if these are the first.
    fileprivate mutating func add(_ entities: [Entity]) {
        if isEmpty { self = entities } else if !entities.isEmpty { self += entities }
    }
}
