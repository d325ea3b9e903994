/// The delivery of a namespace's events: a state machine without I/O, clock or randomness.
///
/// Each method takes an event and returns what its owner must do, in order.
///
/// | phase | left when |
/// | --- | --- |
/// | stopped | there are settings, and sending is not paused: to idle, or to loading if events wait |
/// | idle | events are stored: to waiting, or to loading if they are enough |
/// | waiting | the timer fires, events are enough, or a flush begins: to loading |
/// | loading | requests were planned: to sending, or to ending if there is nothing to send |
/// | sending | all requests were answered: to ending |
/// | ending | the loaded events were released: to idle, waiting, loading, backing off, or stopped |
/// | backing off | the timer fires, a flush begins, or the network settings change: to loading |
/// | drained | events are stored: to waiting or loading; the timer fires: to loading an event that is set aside |
///
/// Pausing, removing the tracker and shutting down lead to stopped, from loading and sending at the end of the pass.
package struct DeliveryState: Sendable {
    /// What the owner must do.
    package enum Action: Sendable {
        /// Calls ``timerFired(queued:)`` after a time; an earlier timer is replaced.
        case startTimer(Duration)
        case cancelTimer
        /// Loads events, plans requests for them, and calls ``requestsPlanned(_:isLimited:)`` or ``loadFailed()``.
        case load(Load)
        /// Sends a request, and calls ``responseReceived(_:to:queued:wallTime:)``.
        case send(CollectorRequest, EffectiveSettings)
        /// Cancels all requests in progress; each is answered all the same.
        case cancelRequests
        /// Releases the loaded events, and calls ``passEnded(queued:fraction:)``.
        case endPass
        /// Removes and counts events that the collector has taken.
        case deliver([StoredEvent])
        /// Removes and counts events that are never sent.
        case drop([StoredEvent], DropReason, detail: String, response: String = "")
        /// Resumes the callers of flushes that are over.
        case resumeFlushes([UInt64])
        /// Looks for events that dead processes left, because the namespace is new.
        case lookForEvents
        /// Logs a line about the delivery as a whole.
        case log(LogLevel, String)
        /// Logs a line at the tracker's own level.
        case logDetail(LogLevel, String)
    }

    /// The events of a pass: the oldest ones but those that are set aside, one of these whose turn has come, or one of the
    /// newest, because the oldest failed alone.
    package struct Load: Sendable {
        package let settings: EffectiveSettings
        package let choice: EventStore.Choice
        package let excluded: Set<Int64>

        var turn: Int64? { if case .single(let id) = choice { id } else { nil } }
        var isWitness: Bool { if case .newest = choice { true } else { false } }
    }

    enum Phase: Sendable {
        case stopped
        case idle
        case waiting
        case loading(Load)
        case sending(Pass)
        case ending(Pass)
        case backingOff
        /// Nothing waits but events that are set aside.
        case drained

        /// Whether the phase lasts until a timer fires.
        var hasTimer: Bool {
            switch self {
            case .waiting, .backingOff, .drained: true
            case .stopped, .idle, .loading, .sending, .ending: false
            }
        }
    }

    /// How long events wait for others to share a request.
    package static let interval = Duration.seconds(1)
    /// How often it is logged that delivery fails.
    static let failureLineInterval = Duration.seconds(300)
    /// The most bytes of events that are loaded at a time.
    static let maximumPassBytes = 8 << 20

    /// The settings to send by; nil without a tracker. ``settingsChanged(queued:)`` is to be called after a change.
    package var settings: EffectiveSettings?
    /// Whether sending is paused. ``settingsChanged(queued:)`` is to be called after a change.
    package var isPaused = false
    /// The time; it is to be set before each event.
    package var uptime = Duration.zero

    package init(namespace: String) {
        status = TrackerStatus(namespace: namespace)
    }

    var phase = Phase.stopped
    private var isShutDown = false
    var backoff = Backoff()
    private var flushes: [UInt64] = []
    /// The network settings that were last followed.
    private(set) var network: NetworkConfiguration?
    /// Whether the pass in progress sends by network settings that have changed since.
    var isOutdated = false

    // What responses have led to; see DeliveryState+Answers.swift.
    var isolation = Isolation()
    /// Whether the last pass was the turn of an event that is set aside; other events have the next one.
    private var wasTurn = false
    /// Since when delivery has failed, and when that was last logged; nil if the last request succeeded.
    var failing: (since: Duration, lastLine: Duration)?
    var lines = LogThrottle()
    var history = RequestHistory()
    /// The delivery as the answers show it; the emitter adds to its counters, and the store's numbers.
    var status: TrackerStatus

    /// Whether requests may begin.
    package var maySend: Bool { settings != nil && !isPaused && !isShutDown }

    /// Whether events are loaded or being sent.
    package var isInPass: Bool {
        switch phase {
        case .loading, .sending, .ending: true
        case .stopped, .idle, .waiting, .backingOff, .drained: false
        }
    }

    /// Events were stored or removed.
    /// - Parameter queued: The number of unsent events.
    /// - Returns: What to do.
    package mutating func eventsChanged(queued: Int) -> [Action] {
        endFlushes(queued: queued) + startIfDue(queued: queued)
    }

    /// The settings have changed, or sending was paused or resumed.
    package mutating func settingsChanged(queued: Int) -> [Action] {
        guard maySend else { return stop() }
        let actions = followNetwork(queued: queued)
        guard case .stopped = phase else { return actions + startIfDue(queued: queued) }
        phase = .idle
        return actions + start(queued: queued)
    }

    /// The time of ``Action/startTimer(_:)`` is over.
    package mutating func timerFired(queued: Int) -> [Action] {
        guard phase.hasTimer else { return [] }
        // The timer is gone, so that resuming has to begin anew.
        phase = maySend ? .idle : .stopped
        return start(queued: queued)
    }

    /// Sends what there is, until no event is left.
    /// - Parameters:
    ///   - id: The id of the flush.
    ///   - queued: The number of unsent events.
    /// - Returns: What to do.
    package mutating func flush(_ id: UInt64, queued: Int) -> [Action] {
        guard maySend, queued > 0 else { return [.resumeFlushes([id])] }
        flushes.append(id)
        // A flush may come before the delivery has its first settings.
        if case .stopped = phase { return settingsChanged(queued: queued) }
        return start(queued: queued)
    }

    /// The time of a flush is over.
    package mutating func flushTimedOut(_ id: UInt64) -> [Action] {
        guard let position = flushes.firstIndex(of: id) else { return [] }
        flushes.remove(at: position)
        return [.resumeFlushes([id])]
    }

    /// Ends delivery for good: requests in progress are cancelled, and none follows.
    package mutating func shutDown() -> [Action] {
        isShutDown = true
        return stop() + (isInPass ? [.cancelRequests] : [])
    }

    /// The loaded events were released.
    /// - Parameters:
    ///   - queued: The number of unsent events.
    ///   - fraction: A random number in 0 ..< 1, for the jitter.
    /// - Returns: What to do.
    package mutating func passEnded(queued: Int, fraction: Double) -> [Action] {
        guard case .ending(let pass) = phase else { return [] }
        phase = maySend ? .idle : .stopped
        let actions = endFlushes(queued: queued)
        if isOutdated {
            // Results with the old settings are no evidence about the new ones.
            isOutdated = false
            backoff.reset()
            isolation = Isolation()
            return actions + start(queued: queued)
        }
        if let retryAfter = pass.retryAfter {
            let most = settings?.emitter.maxRetryDelay ?? .seconds(60)
            let wait = backoff.next(fraction: fraction, retryAfter: retryAfter, most: most)
            guard maySend else { return actions }
            phase = .backingOff
            return actions + [.logDetail(.debug, "the next try is in \(wait)"), .startTimer(wait)]
        }
        if pass.hasDelivered { backoff.reset() }
        if pass.isDrained, queued > 0, maySend {
            phase = .drained
            return actions + [.startTimer(isolation.wait(at: uptime))]
        }
        return actions + (pass.goesOn || !flushes.isEmpty ? start(queued: queued) : startIfDue(queued: queued))
    }

    /// Lets changed network settings take effect at once: what earlier requests led to does not apply to them.
    private mutating func followNetwork(queued: Int) -> [Action] {
        guard let settings, settings.network != network else { return [] }
        let isFirst = network == nil
        network = settings.network
        if isFirst { return [.lookForEvents] }
        isolation = Isolation()
        status.failingSince = nil
        if isInPass {
            isOutdated = true
            // A pass that may wait for a broken collector is not waited for.
            return backoff.failures > 0 ? [.cancelRequests] : []
        }
        backoff.reset()
        guard case .backingOff = phase else { return [] }
        return enter(.idle) + start(queued: queued)
    }

    /// Begins a pass if there are enough events; fewer wait for others.
    private mutating func startIfDue(queued: Int) -> [Action] {
        guard maySend, queued > 0 else { return [] }
        // An estimate: some of those that are set aside may have expired.
        let isEnough = queued - isolation.setAside.count >= settings?.emitter.bufferOption?.size ?? 1
        switch phase {
        case .idle, .drained:
            return isEnough ? enter(.idle) + start(queued: queued) : enter(.waiting) + [.startTimer(Self.interval)]
        case .waiting: return isEnough ? start(queued: queued) : []
        case .stopped, .loading, .sending, .ending, .backingOff: return []
        }
    }

    /// Begins a pass if there is none and there are events.
    private mutating func start(queued: Int) -> [Action] {
        guard maySend, queued > 0, !isInPass, let settings else { return [] }
        let turn = wasTurn ? nil : isolation.turn(at: uptime)
        if case .drained = phase, turn == nil { return [] }
        wasTurn = turn != nil
        let load = Load(
            settings: settings,
            choice: isolation.choice(
                turn, of: queued, most: settings.emitter.emitRange ?? 1, bytes: Self.maximumPassBytes),
            excluded: isolation.excluded)
        return enter(.loading(load)) + [.load(load)]
    }

    /// Begins nothing any more; a pass that is in progress comes to its end.
    private mutating func stop() -> [Action] {
        (isInPass ? [] : enter(.stopped)) + endFlushes(queued: 0)
    }

    /// Changes the phase, and cancels the timer of the one before.
    private mutating func enter(_ next: Phase) -> [Action] {
        defer { phase = next }
        return phase.hasTimer ? [.cancelTimer] : []
    }

    /// Completes all flushes if no event is left, or if none is sent.
    private mutating func endFlushes(queued: Int) -> [Action] {
        guard !flushes.isEmpty, queued == 0 || !maySend else { return [] }
        defer { flushes = [] }
        return [.resumeFlushes(flushes)]
    }
}
