import FoundationEssentials
import TrackerFeatures

/// The connection for a source's hints, and the schedule of the fetches that the hints cause: one fetch for all hints
/// before it begins, at least a second after the previous fetch.
struct ChangeStream: Sendable {
    typealias Now = ConfigurationLifecycle.Now

    enum Phase: Sendable {
        /// The source has no stream, or rejects connections; the next successful fetch tries again.
        case off
        case opening
        case open(since: Now)
        /// The connection has ended; the next one opens after a wait.
        case waiting
    }

    private static let longestSpread = Duration.seconds(86_400)
    // Also the time after which a connection counts as successful.
    private static let longestPause = Duration.seconds(60)
    private static let firstPause = Duration.seconds(1)
    private static let shortCatchUp = Duration.seconds(5)

    private let pollInterval: Duration?
    private(set) var phase = Phase.off
    /// Identifies the current connection, because hints of earlier connections may arrive late.
    private(set) var number = 0
    /// The number of connections that were open.
    private(set) var connections = 0
    /// The time of the last hint, in milliseconds since 1970.
    private(set) var lastHint: Int64?
    /// The consecutive failures as one change; nil after a connection that lasted.
    private(set) var failures: ConfigurationChange?
    /// Whether a connection was open since the first of these failures.
    private(set) var hasReturned = false
    private var backoff = Backoff()

    /// The time of the next fetch; nil if none is scheduled.
    private var due: Duration?
    /// Whether the scheduled fetch, and the one in progress, count for the pause; the fetch of the first connection
    /// does not.
    private var isDueCounted = false
    private var isCounted = false
    /// The hinted version that the source has not returned yet, with its spread.
    private var wanted: (version: Int, spread: Duration)?
    /// The highest hinted version.
    private var highest: Int?
    /// The minimum time between two fetches, which doubles while they return nothing new, and the end of the last
    /// fetch.
    private var pause = firstPause
    private var lastFetch: Duration?
    private var lastFault: String?

    init(pollInterval: Duration?) {
        self.pollInterval = pollInterval
    }

    var isOpen: Bool { if case .open = phase { true } else { false } }
    var isOff: Bool { if case .off = phase { true } else { false } }
    var isWaiting: Bool { if case .waiting = phase { true } else { false } }
    /// Whether the source has a stream, as far as is known.
    var isOffered: Bool { !isOff || failures != nil }
    /// Whether the last connection failed and none has opened since.
    var isFailing: Bool { !isOpen && failures != nil }

    private var longestPause: Duration { min(pollInterval ?? Self.longestPause, Self.longestPause) }

    // MARK: - The connection

    /// Starts another connection.
    /// - Returns: The number of the connection.
    mutating func open() -> Int {
        number += 1
        phase = .opening
        return number
    }

    /// Notes that the source has no stream, or no longer has one.
    mutating func missing() { (phase, failures) = (.off, nil) }

    /// Closes the connection and resets the state.
    mutating func close() {
        let number = number + 1
        self = ChangeStream(pollInterval: pollInterval)
        self.number = number
    }

    /// Notes that the connection is open.
    /// - Returns: The wait before a fetch for missed hints; nil if an earlier fetch is scheduled. A whole fleet may
    ///   lose its connections at once, so the wait is random, except at the start.
    mutating func connected(_ now: Now) -> Duration? {
        phase = .open(since: now)
        hasReturned = failures != nil
        connections += 1
        guard connections > 1 else { return schedule(isCounted: false, now) }
        return schedule(within: pollInterval == nil ? Self.shortCatchUp : longestPause, now)
    }

    /// Notes that the connection has ended.
    /// - Parameters:
    ///   - failure: The failure; nil if the other side closed the connection.
    ///   - now: The time of the end.
    /// - Returns: The wait before the next connection; nil if the source rejects connections and a later fetch will try
    ///   again.
    mutating func ended(_ failure: FetchError?, _ now: Now) -> Duration? {
        number += 1
        var failure = failure
        let asked = min(max(failure?.retryAfter ?? .zero, .zero), Backoff.maxRetryAfter)
        if case .open(let since) = phase, now.uptime - since.uptime >= Self.longestPause {
            (backoff, failures, hasReturned) = (Backoff(), nil, false)
            // If a server closes a connection that has lasted, and sends a time for the next one, it has not failed.
            if failure?.code == .closed { failure = nil }
        } else if failure == nil {
            let time = isOpen ? "within a minute" : "before it was open"
            failure = FetchError(.transport, reason: "the source closed its stream of changes \(time)")
        }
        phase = failure?.refusesStream == true && pollInterval != nil ? .off : .waiting
        if let failure {
            var change = ConfigurationChange(
                kind: .failed, text: failure.reason, time: Date(milliseconds: now.time), needsAttention: true)
            (change.firstTime, change.count) = (failures?.firstTime ?? change.firstTime, (failures?.count ?? 0) + 1)
            failures = change
        }
        guard isWaiting else { return nil }
        // Add a random time, so that instances with the same requested wait do not return at once.
        return asked
            + backoff.next(
                fraction: now.random.fraction(), retryAfter: nil, first: Self.firstPause, most: Self.longestPause)
    }

    // MARK: - Hints

    /// Whether a hint's fault differs from the last one.
    mutating func isNew(_ fault: String) -> Bool {
        defer { lastFault = fault }
        return fault != lastFault
    }

    /// Handles a hint.
    /// - Parameters:
    ///   - hint: The hint.
    ///   - active: The version in use; nil if the source's document is not in use.
    ///   - now: The time of the hint.
    /// - Returns: The wait before the fetch; nil if an earlier fetch is scheduled, or if the version is not higher than
    ///   the one in use.
    mutating func hinted(_ hint: ChangeHint, active: Int?, _ now: Now) -> Duration? {
        lastHint = now.time
        let spread = min(max(hint.spread ?? .zero, .zero), Self.longestSpread)
        if let version = hint.version {
            if let active, version <= active { return nil }
            if wanted.map({ $0.version < version }) ?? true { wanted = (version, spread) }
            if highest.map({ $0 < version }) ?? true { (highest, pause) = (version, Self.firstPause) }
        }
        return schedule(within: spread, now)
    }

    /// Notes the start of a fetch, which covers all earlier hints.
    /// - Returns: Whether a fetch was scheduled.
    mutating func fetchBegins() -> Bool {
        let wasDue = due != nil
        (due, isCounted, isDueCounted) = (nil, isDueCounted, false)
        return wasDue
    }

    /// Whether a fetch is scheduled.
    var isFetchDue: Bool { due != nil }

    /// Notes the end of a fetch.
    /// - Parameters:
    ///   - outcome: The outcome of the fetch.
    ///   - isNew: Whether the outcome differs from the previous one.
    ///   - active: The version in use; nil if the source's document is not in use.
    ///   - now: The time of the end.
    /// - Returns: The wait before the next fetch; nil if none is needed, or if the attempts are exhausted. `missing` is
    ///   a version that the source does not return.
    mutating func fetchEnded(
        _ outcome: ConfigurationOutcome, isNew: Bool, active: Int?, _ now: Now
    ) -> (wait: Duration?, missing: Int?) {
        let wasCounted = isCounted
        isCounted = false
        if wasCounted {
            let hasNews = isNew && [.applied, .held, .rejected].contains(outcome.kind)
            pause = hasNews ? Self.firstPause : min(pause * 2, max(longestPause, Self.firstPause))
            lastFetch = now.uptime
        }
        // The fetch may have started before the hinted change.
        if let due {
            let time = max(due, earliest(now))
            self.due = time
            return (time - now.uptime, nil)
        }
        let isInTime = pause < longestPause
        if let error = outcome.fetchError {
            // Without polling, nothing else would fetch again.
            let isAlone = pollInterval == nil && isOpen
            guard error.code != .shutDown, isAlone || (isInTime && (wasCounted || wanted != nil)) else {
                return (nil, nil)
            }
            return (schedule(after: error.retryAfter ?? .zero, within: pause * 2, now), nil)
        }
        guard let (version, spread) = wanted else { return (nil, nil) }
        let isShown = max(outcome.version ?? 0, active ?? 0) >= version || outcome.kind == .rejected
        // A cache between source and setup may be slower than the hint.
        if !isShown, isInTime { return (schedule(within: max(pause, spread), now), nil) }
        wanted = nil
        return (nil, isShown ? nil : version)
    }

    /// Schedules a fetch after a time and a random part of another one, unless an earlier fetch is scheduled.
    private mutating func schedule(
        after wait: Duration = .zero, within spread: Duration = .zero, isCounted: Bool = true, _ now: Now
    ) -> Duration? {
        isDueCounted = isDueCounted || isCounted
        let part = spread > .zero ? spread * now.random.fraction() : .zero
        let time = earliest(now) + wait + part
        if let due, due <= time { return nil }
        due = time
        return time - now.uptime
    }

    private func earliest(_ now: Now) -> Duration { max(now.uptime, lastFetch.map { $0 + pause } ?? .zero) }
}

extension NamedCode<FetchError> {
    /// The server closed the stream.
    static var closed: Self { Self(rawValue: "closed") }
}

extension FetchError {
    /// Whether the server's answer means that there is no stream, so that another attempt is useless until it changes.
    fileprivate var refusesStream: Bool {
        guard let status else { return false }
        return status == 204 || (400...499 ~= status && status != 408 && status != 429)
    }
}
