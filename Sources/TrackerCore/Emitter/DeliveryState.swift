/// The delivery of a namespace's events: a state machine without I/O, clock or randomness.
///
/// Each method handles an event and returns the actions for the owner, in order.
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
/// | drained | events are stored: to waiting or loading; the timer fires: to loading, at last an event that is set aside |
///
/// Pausing, removing the tracker and shutting down lead to stopped, from loading and sending at the end of the pass.
package struct DeliveryState: Sendable {
    /// An action for the owner.
    package enum Action: Sendable {
        /// Calls ``timerFired(queued:)`` after a delay; replaces an earlier timer.
        case startTimer(Duration)
        case cancelTimer
        /// Loads events, plans requests for them, and calls ``requestsPlanned(_:isLimited:)`` or ``loadFailed()``.
        case load(Load)
        /// Sends a request, and calls ``responseReceived(_:to:queued:wallTime:)``.
        case send(CollectorRequest, EffectiveSettings)
        /// Cancels all requests in progress; each still gets a result.
        case cancelRequests
        /// Releases the loaded events, and calls ``passEnded(queued:fraction:)``.
        case endPass
        /// Removes and counts events that the collector has taken.
        case delivered([StoredEvent])
        /// Removes and counts events that are never sent.
        case drop([StoredEvent], DropReason, detail: String, response: String = "")
        /// Resumes the callers of completed flushes.
        case resumeFlushes([UInt64])
        /// Looks for events of dead processes, because the namespace is new.
        case lookForEvents
        /// Logs a line about the delivery as a whole.
        case log(LogLevel, String)
        /// Logs a line at the tracker's own level.
        case logDetail(LogLevel, String)
    }

    /// The events of a pass: the oldest ones that are not set aside, a set-aside event that is retried alone, or a
    /// newer event for comparison with one that failed alone.
    package struct Load: Sendable {
        package let settings: EffectiveSettings
        package let choice: EventStore.Choice
        package let excluded: Set<Int64>

        var retriedEvent: Int64? { if case .single(let id) = choice { id } else { nil } }
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
        /// Only set-aside events are left.
        case drained

        /// Whether the phase lasts until a timer fires.
        var hasTimer: Bool {
            switch self {
            case .waiting, .backingOff, .drained: true
            case .stopped, .idle, .loading, .sending, .ending: false
            }
        }
    }

    /// The time for which events wait for others to share a request.
    package static let interval = Duration.seconds(1)
    /// The interval between log lines about failing delivery.
    static let failureLineInterval = Duration.seconds(300)
    /// The maximum size of events that are loaded at a time, in bytes.
    static let maximumPassBytes = 8 << 20

    /// The settings of requests; nil without a tracker. Call ``settingsChanged(queued:)`` after a change.
    package var settings: EffectiveSettings?
    /// Whether sending is paused. Call ``settingsChanged(queued:)`` after a change.
    package var isPaused = false
    /// The time; set it before each event.
    package var uptime = Duration.zero

    package init(namespace: String) {
        status = TrackerStatus(namespace: namespace)
    }

    var phase = Phase.stopped
    private var isShutDown = false
    var backoff = Backoff()
    private var flushes: [UInt64] = []
    /// The network settings that were applied last.
    private(set) var network: NetworkConfiguration?
    /// Whether the pass in progress uses outdated network settings.
    var isOutdated = false

    // The conclusions from responses; see DeliveryState+Answers.swift.
    var isolation = Isolation()
    /// Whether the last pass retried a set-aside event; the next pass is for other events.
    private var lastPassWasRetry = false
    /// The time since which delivery has failed, and the time of the last log line; nil if the last request succeeded.
    var failing: (since: Duration, lastLine: Duration)?
    var logThrottle = LogThrottle()
    var history = RequestHistory()
    /// The status of delivery that responses determine; the emitter adds counts and the store's numbers.
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

    /// Handles stored or removed events.
    /// - Parameter queued: The number of unsent events.
    /// - Returns: The actions.
    package mutating func eventsChanged(queued: Int) -> [Action] {
        endFlushes(queued: queued) + startIfDue(queued: queued)
    }

    /// Handles changed settings, and a pause or resumption of sending.
    package mutating func settingsChanged(queued: Int) -> [Action] {
        guard maySend else { return stop() }
        let actions = followNetwork(queued: queued)
        guard case .stopped = phase else { return actions + startIfDue(queued: queued) }
        phase = .idle
        return actions + start(queued: queued)
    }

    /// Handles the end of the timer of ``Action/startTimer(_:)``.
    package mutating func timerFired(queued: Int) -> [Action] {
        guard phase.hasTimer else { return [] }
        // The timer is gone, so that a resumption has to start delivery again.
        phase = maySend ? .idle : .stopped
        return start(queued: queued)
    }

    /// Sends the unsent events until none is left.
    /// - Parameters:
    ///   - id: The id of the flush.
    ///   - queued: The number of unsent events.
    /// - Returns: The actions.
    package mutating func flush(_ id: UInt64, queued: Int) -> [Action] {
        guard maySend, queued > 0 else { return [.resumeFlushes([id])] }
        flushes.append(id)
        // A flush may come before the delivery has its first settings.
        if case .stopped = phase { return settingsChanged(queued: queued) }
        return start(queued: queued)
    }

    /// Handles the timeout of a flush.
    package mutating func flushTimedOut(_ id: UInt64) -> [Action] {
        guard let position = flushes.firstIndex(of: id) else { return [] }
        flushes.remove(at: position)
        return [.resumeFlushes([id])]
    }

    /// Stops delivery for good: requests in progress are cancelled, and no others follow.
    package mutating func shutDown() -> [Action] {
        isShutDown = true
        return stop() + (isInPass ? [.cancelRequests] : [])
    }

    /// Handles the release of the loaded events.
    /// - Parameters:
    ///   - queued: The number of unsent events.
    ///   - fraction: A random number in 0 ..< 1, for the jitter.
    /// - Returns: The actions.
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

    /// Applies changed network settings at once, and discards the conclusions from earlier requests.
    private mutating func followNetwork(queued: Int) -> [Action] {
        guard let settings, settings.network != network else { return [] }
        let isFirst = network == nil
        network = settings.network
        if isFirst { return [.lookForEvents] }
        isolation = Isolation()
        status.failingSince = nil
        if isInPass {
            isOutdated = true
            // Requests to a broken collector are cancelled, because the new settings should not wait for them.
            return backoff.failures > 0 ? [.cancelRequests] : []
        }
        backoff.reset()
        guard case .backingOff = phase else { return [] }
        return enter(.idle) + start(queued: queued)
    }

    /// Begins a pass if there are enough events, and otherwise waits for more.
    private mutating func startIfDue(queued: Int) -> [Action] {
        guard maySend, queued > 0 else { return [] }
        // An estimate, because some set-aside events may have expired.
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
        let retriedEvent = lastPassWasRetry ? nil : isolation.dueEvent(at: uptime)
        if case .drained = phase, retriedEvent == nil { return [] }
        lastPassWasRetry = retriedEvent != nil
        let load = Load(
            settings: settings,
            choice: isolation.choice(
                retriedEvent, of: queued, most: settings.emitter.emitRange ?? 1, bytes: Self.maximumPassBytes),
            excluded: isolation.excluded)
        return enter(.loading(load)) + [.load(load)]
    }

    /// Stops new passes; a pass in progress completes.
    private mutating func stop() -> [Action] {
        (isInPass ? [] : enter(.stopped)) + endFlushes(queued: 0)
    }

    /// Changes the phase, and cancels the timer of the previous one.
    private mutating func enter(_ next: Phase) -> [Action] {
        defer { phase = next }
        return phase.hasTimer ? [.cancelTimer] : []
    }

    /// Completes all flushes if no event is left or sending has stopped.
    private mutating func endFlushes(queued: Int) -> [Action] {
        guard !flushes.isEmpty, queued == 0 || !maySend else { return [] }
        defer { flushes = [] }
        return [.resumeFlushes(flushes)]
    }
}
