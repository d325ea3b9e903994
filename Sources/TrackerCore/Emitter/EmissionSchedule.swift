/// When a namespace's events are sent: a state machine without I/O or clock.
///
/// | state | leaves it |
/// | --- | --- |
/// | idle | an event is stored: to waiting, or to sending where enough are there |
/// | waiting | the timer, enough events, or a flush: to sending |
/// | sending | the pass ends: to idle, waiting, sending again, or backing off |
/// | backing off | the timer or a flush: to sending |
struct EmissionSchedule: Sendable {
    /// What the owner must do.
    enum Action: Equatable {
        case none
        case startPass
        /// Replaces an earlier timer.
        case startTimer(Duration)
    }

    /// How a pass ended.
    enum PassResult {
        /// All that was tried is done with; `isFull` where there were as many events as one pass may have.
        case done(isFull: Bool)
        /// Some events were kept after a failure.
        case failed(retryAfter: Duration?)
    }

    enum State {
        case idle
        case waiting
        case sending
        case backingOff
    }

    /// How long events wait for company.
    static let interval = Duration.seconds(1)

    private(set) var state = State.idle
    private(set) var isPaused = false
    private var backoff = Backoff()
    /// Whether the pass under way sends by settings that have changed since.
    private var isOutdated = false

    /// Passes that failed since the last one that did not.
    var failuresInARow: Int { backoff.failures }

    /// Events were stored; `queued` is how many there are now, `threshold` how many start a send.
    mutating func eventsStored(queued: Int, threshold: Int) -> Action {
        guard !isPaused, queued > 0 else { return .none }
        switch state {
        case .idle:
            if queued >= threshold { return send() }
            state = .waiting
            return .startTimer(Self.interval)
        case .waiting: return queued >= threshold ? send() : .none
        case .sending, .backingOff: return .none
        }
    }

    mutating func timerFired(queued: Int) -> Action {
        guard !isPaused, state == .waiting || state == .backingOff else { return .none }
        guard queued > 0 else {
            state = .idle
            return .none
        }
        return send()
    }

    mutating func flush(queued: Int) -> Action {
        guard !isPaused, state != .sending, queued > 0 else { return .none }
        return send()
    }

    /// A pass is over.
    /// - Parameters:
    ///   - result: How it ended.
    ///   - queued: How many events there are now.
    ///   - threshold: How many start a send.
    ///   - isFlushing: Whether somebody waits for the queue to be empty.
    ///   - fraction: A random number in 0 ..< 1, for the jitter.
    ///   - maxDelay: The longest wait after a failure.
    /// - Returns: What the owner must do.
    mutating func passEnded(
        _ result: PassResult, queued: Int, threshold: Int, isFlushing: Bool, fraction: Double, maxDelay: Duration
    ) -> Action {
        state = .idle
        if isOutdated {
            // What the old settings led to says nothing about the new ones.
            isOutdated = false
            backoff.reset()
            return flush(queued: queued)
        }
        switch result {
        case .done(let isFull):
            backoff.reset()
            guard !isPaused, queued > 0 else { return .none }
            if isFull || isFlushing { return send() }
            return eventsStored(queued: queued, threshold: threshold)
        case .failed(let retryAfter):
            let wait = backoff.next(fraction: fraction, retryAfter: retryAfter, most: maxDelay)
            guard !isPaused else { return .none }
            state = .backingOff
            return .startTimer(wait)
        }
    }

    /// The settings by which events are sent have changed: back-off ends, and events that waited for it are sent now.
    mutating func settingsChanged(queued: Int) -> Action {
        if state == .sending {
            isOutdated = true
            return .none
        }
        backoff.reset()
        guard state == .backingOff else { return .none }
        state = .idle
        return flush(queued: queued)
    }

    /// Starts no pass until ``resume(queued:)``; one that runs comes to its end.
    mutating func pause() {
        isPaused = true
        if state != .sending { state = .idle }
    }

    mutating func resume(queued: Int) -> Action {
        guard isPaused else { return .none }
        isPaused = false
        return flush(queued: queued)
    }

    private mutating func send() -> Action {
        state = .sending
        return .startPass
    }
}
