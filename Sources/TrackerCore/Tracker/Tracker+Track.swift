public import FoundationEssentials
import Synchronization

extension Tracker {
    /// Tracks an event: encodes it with everything that it carries, and queues it to be stored and sent.
    ///
    /// It does no I/O, never waits and never throws. Once it has returned an id, the event survives the end of the
    /// process, however that ends, if the service has a state directory on a local file system; only a power failure
    /// before the operating system has written it, as a rule within 30 s, can lose it. The event is about the subject of
    /// the request that is bound to the task, see ``TrackingContext``.
    /// - Parameters:
    ///   - event: The event.
    ///   - entities: The entities of the event, in addition to those of the context and the settings.
    ///   - subject: The subject of the event, which takes precedence field by field over all other sources but the
    ///     event itself; nil by default.
    ///   - trueTimestamp: The time when it happened, if that is not now.
    /// - Returns: The event's id; nil if it was not tracked. ``counters`` and the log have the reason.
    @discardableResult
    public func track(
        _ event: some Event, entities: [Entity] = [], subject: EventSubject? = nil, trueTimestamp: Date? = nil
    ) -> EventID? {
        // The reason of a failure is counted and logged where it arises.
        try? enqueue(event, entities, subject, trueTimestamp, in: nil, waiter: nil).get()
    }

    /// Tracks an event and waits until it is on disk, where a power failure does not lose it.
    /// - Parameters:
    ///   - event: The event.
    ///   - entities: The entities of the event, in addition to those of the context and the settings.
    ///   - subject: The subject of the event, which takes precedence field by field over all other sources but the
    ///     event itself; nil by default.
    ///   - trueTimestamp: The time when it happened, if that is not now.
    /// - Returns: The event's id.
    /// - Throws: ``TrackingError`` if the event was not tracked, or is in memory only.
    @discardableResult
    public func trackCommitted(
        _ event: some Event, entities: [Entity] = [], subject: EventSubject? = nil, trueTimestamp: Date? = nil
    ) async throws(TrackingError) -> EventID {
        try await commit(event, entities, subject, trueTimestamp, in: nil)
    }

    /// Tracks an event.
    /// - Parameters:
    ///   - event: The event.
    ///   - subject: The subject.
    /// - Returns: The event's id, or the reason why it was not tracked.
    package func result(of event: some Event, subject: EventSubject? = nil) -> Result<EventID, TrackingError> {
        enqueue(event, [], subject, nil, in: nil, waiter: nil)
    }

    /// Tracks an event in a scope and waits until it is on disk.
    func commit(
        _ event: some Event, _ entities: [Entity], _ subject: EventSubject?, _ trueTimestamp: Date?,
        in scope: TrackingContext?
    ) async throws(TrackingError) -> EventID {
        let stored = EventQueue.Waiter()
        let id = try enqueue(event, entities, subject, trueTimestamp, in: scope, waiter: stored).get()
        if case .failure(let error) = await stored.value { throw TrackingError(notDurable: id, cause: error) }
        return id
    }

    /// Tracks an event.
    /// - Parameters:
    ///   - event: The event.
    ///   - entities: Its entities.
    ///   - argument: The subject that the caller passes.
    ///   - trueTimestamp: The time when it happened.
    ///   - scope: The context of a scoped tracker.
    ///   - waiter: Finished when the event is on disk, or cannot be, if it is taken.
    /// - Returns: The event's id, or the reason why it was not tracked.
    func enqueue(
        _ event: some Event, _ entities: [Entity], _ argument: EventSubject?, _ trueTimestamp: Date?,
        in scope: TrackingContext?, waiter: EventQueue.Waiter?
    ) -> Result<EventID, TrackingError> {
        // In a forked child a lock may be held by a thread that does not exist there.
        guard pipeline.forkGuard.isOwnProcess else {
            namespaceEmitter.countForked()
            return .failure(TrackingError(dropped: .forked))
        }
        let content = event.content
        let trueTime = trueTimestamp.map { ($0.timeIntervalSince1970 * 1000).rounded() }
        // Fourteen digits, the year 5138, are what collectors read; NaN is outside too.
        if let trueTime, !(trueTime.magnitude < 1e14) { return refuse(.invalid, "its true timestamp is out of range") }
        let own = event.entities
        // What its parameters name is on the wire, whatever its subject says.
        let said = content.identity.map { $0.merged(over: event.subject ?? EventSubject()) } ?? event.subject
        let layers = SubjectLayers(
            own: said, argument: argument, scoped: scope, bound: TrackingContext.current)
        var attached = entities
        let lane = ThreadLane.own
        var seen: Seen?
        // What extensions see and what is sent are of one document, also if another one is applied meanwhile.
        var fixed: LaneReferences<EffectiveSettings>.Reference?
        if hasExtensions.load(ordering: .acquiring) {
            let (extensions, reference, document, fraction, refusal) = state.withLock {
                (
                    $0.extensions, $0.laneSettings[lane], $0.layers.document, $0.random.nextFraction(),
                    Self.refusal(in: $0)
                )
            }
            // Before plugins run and count for an event that is never sent.
            if let refusal { return refuse(refusal, Self.sentence(of: refusal)) }
            fixed = reference
            let settings = reference.object
            let subject = layers.merged(over: settings)
            let given = own + entities
            let carried = given + layers.entities(besides: given)
            var event = TrackedEvent(
                content: content, entities: subject.isAnonymous ? carried.map(\.anonymised) : carried, subject: subject,
                evaluation: layers.evaluation, traceID: layers.traceID)
            event.document = document
            guard extensions.samples(event, settings.tracker.sampling, fraction) else {
                namespaceEmitter.countSampledOut()
                return .failure(.sampledOut)
            }
            guard extensions.admits(event) else {
                namespaceEmitter.countRefused(.filtered)
                return .failure(TrackingError(dropped: .filtered))
            }
            let generated = extensions.entities(for: event)
            attached += generated
            event.entities += generated
            seen = Seen(extensions, event)
        }
        // Before the event counts for a session or a screen, which must not begin with an event that is never sent.
        if let fault = content.fault ?? own.fault ?? attached.fault ?? layers.fault { return refuse(.invalid, fault) }
        let source = EventEncoder.Source(
            content: content, entities: own, moreEntities: attached, trueTime: trueTime.map { Int64($0) })
        do throws(Refusal) {
            let stamp = try admit(source, layers, fixed, in: lane)
            return submit(source, stamp, layers, seenBy: seen, waiter, in: lane)
        } catch {
            return refuse(error.reason, Self.sentence(of: error.reason))
        }
    }

    /// Encodes and queues an event, and passes it to the extensions that have seen it.
    private func submit(
        _ source: EventEncoder.Source, _ stamp: EventEncoder.Stamp, _ layers: SubjectLayers,
        seenBy seen: Seen?, _ waiter: EventQueue.Waiter?,
        in lane: Int
    ) -> Result<EventID, TrackingError> {
        EventEncoder.encode(source, stamp, layers, heads) { encoder in
            if !encoder.truncated.isEmpty { reportTruncation(encoder.truncated) }
            if encoder.hasMalformedSchema || !layers.haveIgluSchemas {
                let entities = source.entities + source.moreEntities
                reportSchemas(of: source.content, entities + layers.entities(besides: entities))
            }
            let row = encoder.row.bytes
            let record = StagedRecord(
                namespace: namespaceEmitter.index, name: namespaceEmitter.longName,
                isAnonymous: stamp.settings.isServerAnonymous, time: stamp.wallTime, sequence: stamp.sequence,
                payload: row)
            switch queue.use({ $0.append(record, waiter: waiter, in: lane) }) {
            case .accepted(let isFirst, let isLarge, let isLow):
                namespaceEmitter.countTracked(in: lane)
                if isLow { queue.use { $0.growSoon() } }
                tap.use { $0.offer(row, of: namespace) }
                if isFirst || isLarge {
                    pipeline.drainSoon(withinMilliseconds: isLarge ? 0 : EventPipeline.commitWindow)
                }
                if let seen {
                    if let session = stamp.session, session.isFirst {
                        let start = SessionStart(session)
                        seen.extensions.sessionHandlers.call { $0(start) }
                    }
                    var event = seen.event
                    event.id = stamp.id
                    seen.extensions.afterTrack(event)
                }
                return .success(stamp.id)
            case .full:
                withdraw(stamp)
                pipeline.refused(row, isAnonymous: stamp.settings.isServerAnonymous, of: namespaceEmitter)
                return refuse(.queueFull, "the store is too slow for so many events")
            case .closed:
                withdraw(stamp)
                return refuse(.shutDown, "the SDK was shut down")
            }
        }
    }

    /// An event and the extensions that have seen it. An object, because most events have none, and it is large.
    private final class Seen {
        let extensions: TrackerExtensions
        let event: TrackedEvent

        init(_ extensions: TrackerExtensions, _ event: TrackedEvent) {
            (self.extensions, self.event) = (extensions, event)
        }
    }

    /// Why a tracker takes no events. An error and not a part of a result, which would be copied.
    private struct Refusal: Error {
        let reason: DropReason
    }

    /// Fixes, under the lock, what an event takes from its tracker.
    /// - Parameters:
    ///   - source: The event.
    ///   - layers: The sources of its subject.
    ///   - fixed: The settings that its extensions have seen; nil takes those in effect.
    ///   - lane: The caller's lane.
    /// - Returns: What the event takes.
    /// - Throws: Why the tracker takes no events.
    private func admit(
        _ source: EventEncoder.Source, _ layers: SubjectLayers,
        _ fixed: LaneReferences<EffectiveSettings>.Reference?, in lane: Int
    ) throws(Refusal) -> EventEncoder.Stamp {
        let wallTime = pipeline.time.wallTime
        let hasOwnSession =
            source.entities.contains(where: \.isClientSession) || source.moreEntities.contains(where: \.isClientSession)
        let sessionContext = hasOwnSession || !layers.hasClientSession ? nil : layers.sessionContext
        return try state.withLock { (state) throws(Refusal) in
            if let reason = Self.refusal(in: state) { throw Refusal(reason: reason) }
            let settings = fixed ?? state.laneSettings[lane]
            let id = EventID(high: state.random.next(), low: state.random.next())
            state.sequence += 1
            // The session and the screen are those of the tracker's own user.
            let isOwnUser = layers.isEmpty || layers.isAbout(userOf: settings.object.encodedSubject.subject)
            let previousScreen = isOwnUser ? state.screen : nil
            if case .screenView(let view) = source.content.form, isOwnUser { state.screen = Screen(view, event: id) }
            var session: Session.Stamp?
            if settings.object.hasSession, isOwnUser, !hasOwnSession, sessionContext == nil {
                let occasion = Session.Activity(event: id, wallTime: wallTime, uptime: pipeline.time.uptime)
                let (high, low) = (state.random.next(), state.random.next())
                session = state.session.advance(occasion, timeouts: settings.object.session) {
                    EventID(high: high, low: low)
                }
                // A session belongs to events with a user or to anonymous ones, not to both.
                if fixed != nil, settings.object.isUserAnonymous != state.settings.isUserAnonymous {
                    state.session.end()
                }
            }
            return EventEncoder.Stamp(
                id: id, sequence: state.sequence, wallTime: wallTime, session: session, sessionContext: sessionContext,
                screen: isOwnUser ? state.screen : nil, previousScreen: previousScreen, isOwnUser: isOwnUser,
                isAnonymous: settings.object.isUserAnonymous || layers.isAnonymous, settingsReference: settings)
        }
    }

    private static func sentence(of refusal: DropReason) -> String {
        refusal == .removed ? "its namespace has no tracker any more" : "the tracker is paused"
    }

    /// Why the tracker takes no events; nil if it takes them.
    private static func refusal(in state: State) -> DropReason? {
        state.isRemoved ? .removed : state.isPaused ? .paused : nil
    }

    /// Takes back what a refused event has changed: a session and a screen do not begin with it.
    private func withdraw(_ stamp: EventEncoder.Stamp) {
        state.withLock { state in
            if let session = stamp.session { state.session.withdraw(session) }
            if stamp.isOwnUser, state.screen === stamp.screen { state.screen = stamp.previousScreen }
        }
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

    /// Counts the schemas that are no Iglu URIs, and logs the first event with each.
    private func reportSchemas(of content: EventContent, _ entities: [Entity]) {
        var schemas = entities.filter { !$0.schema.isIgluURI }.map(\.schema)
        if case .selfDescribing(let schema, _) = content.form, !schema.isIgluURI { schemas.insert(schema, at: 0) }
        for schema in schemas {
            namespaceEmitter.malformedSchemas.count(
                schema, settingsLog,
                "schema \(schema.excerpt) is no Iglu URI (iglu:VENDOR/NAME/jsonschema/N-N-N): the event is sent, and "
                    + "Enrich makes it a failed event")
        }
    }

    private func refuse(_ reason: DropReason, _ message: String) -> Result<EventID, TrackingError> {
        namespaceEmitter.countRefused(reason)
        pipeline.reportLoss(namespaceEmitter, reason, 1, message)
        return .failure(TrackingError(dropped: reason))
    }
}
