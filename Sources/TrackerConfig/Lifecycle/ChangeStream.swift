import FoundationEssentials

/// The connection over which a source hints at changes, and the fetch that its hints ask for: one for all hints that come until it
/// begins, at least a second after the one before.
struct ChangeStream: Sendable {
    typealias Moment = ConfigurationLifecycle.Moment

    enum Phase: Sendable {
        /// The source has no stream, or refuses it; the next fetch that succeeds asks again.
        case off
        case opening
        case open(since: Moment)
        /// The connection has ended, and is opened again after a wait.
        case waiting
    }

    private static let longestSpread = Duration.seconds(86_400)
    // Also how long a connection lasts that is better than one that failed.
    private static let longestPause = Duration.seconds(60)
    private static let firstPause = Duration.seconds(1)
    private static let shortCatchUp = Duration.seconds(5)

    private let pollInterval: Duration?
    private(set) var phase = Phase.off
    /// Distinguishes the hints of a connection from those of the ones before.
    private(set) var number = 0
    /// How many connections were open.
    private(set) var connections = 0
    /// When the last hint came, in milliseconds since 1970.
    private(set) var lastHint: Int64?
    /// The failures in a row, folded into one change; nil if a connection has lasted since.
    private(set) var failures: ConfigurationChange?
    /// Whether a connection was open since the first of them.
    private(set) var hasReturned = false
    private var backoff = Backoff()

    /// When the next fetch is due; nil if none is asked for.
    private var due: Duration?
    /// Whether the due fetch, and the one in progress, are counted: all but that of the first connection.
    private var isDueCounted = false
    private var isCounted = false
    /// The version that was hinted at and that the source has not shown yet, with its spread.
    private var wanted: (version: Int, spread: Duration)?
    /// The highest version that was hinted at.
    private var highest: Int?
    /// The least time between two fetches, which doubles while there is nothing new, and the end of the last one.
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
    /// Whether the last connection failed and none is open since.
    var isFailing: Bool { !isOpen && failures != nil }

    private var longestPause: Duration { min(pollInterval ?? Self.longestPause, Self.longestPause) }

    // MARK: - The connection

    /// Begins another connection.
    /// - Returns: Its number.
    mutating func open() -> Int {
        number += 1
        phase = .opening
        return number
    }

    /// The source has no stream, or none any more.
    mutating func missing() { (phase, failures) = (.off, nil) }

    /// Closes the connection, and forgets all that it has led to.
    mutating func close() {
        let number = number + 1
        self = ChangeStream(pollInterval: pollInterval)
        self.number = number
    }

    /// Notes that the connection is open.
    /// - Returns: The wait before a fetch, because hints may have been missed; nil if an earlier one is due. A fleet loses its connections
    ///   at one time, so each process but one that starts waits for a random part of the time in which all poll.
    mutating func connected(_ moment: Moment) -> Duration? {
        phase = .open(since: moment)
        hasReturned = failures != nil
        connections += 1
        guard connections > 1 else { return schedule(isCounted: false, moment) }
        return schedule(within: pollInterval == nil ? Self.shortCatchUp : longestPause, moment)
    }

    /// Notes that the connection has ended.
    /// - Parameters:
    ///   - failure: How it failed; nil if the other side ended it.
    ///   - moment: When it ended.
    /// - Returns: The wait before the next one; nil if the source refuses it and there will be fetches after which to ask again.
    mutating func ended(_ failure: FetchError?, _ moment: Moment) -> Duration? {
        number += 1
        var failure = failure
        let asked = min(max(failure?.retryAfter ?? .zero, .zero), Backoff.maxRetryAfter)
        if case .open(let since) = phase, moment.uptime - since.uptime >= Self.longestPause {
            (backoff, failures, hasReturned) = (Backoff(), nil, false)
            // A server that closes what has lasted, and says when to come back, has not failed.
            if failure?.code == .closed { failure = nil }
        } else if failure == nil {
            let time = isOpen ? "within a minute" : "before it was open"
            failure = FetchError(.transport, reason: "the source closed its stream of changes \(time)")
        }
        phase = failure?.refusesStream == true && pollInterval != nil ? .off : .waiting
        if let failure {
            var change = ConfigurationChange(
                kind: .failed, text: failure.reason, time: Date(milliseconds: moment.time), needsAttention: true)
            (change.firstTime, change.count) = (failures?.firstTime ?? change.firstTime, (failures?.count ?? 0) + 1)
            failures = change
        }
        guard isWaiting else { return nil }
        // Instances that were asked to wait for the same time return spread.
        return asked
            + backoff.next(
                fraction: moment.random.fraction(), retryAfter: nil, first: Self.firstPause, most: Self.longestPause)
    }

    // MARK: - Hints

    /// Whether a fault of a hint is another one than that of the last hint with a fault.
    mutating func isNew(_ fault: String) -> Bool {
        defer { lastFault = fault }
        return fault != lastFault
    }

    /// Takes a hint.
    /// - Parameters:
    ///   - hint: The hint.
    ///   - active: The version in use; nil if the source's document is not in use.
    ///   - moment: When it came.
    /// - Returns: The wait before the fetch; nil if an earlier one is due, or the version is in use or lower.
    mutating func hinted(_ hint: ChangeHint, active: Int?, _ moment: Moment) -> Duration? {
        lastHint = moment.time
        let spread = min(max(hint.spread ?? .zero, .zero), Self.longestSpread)
        if let version = hint.version {
            if let active, version <= active { return nil }
            if wanted.map({ $0.version < version }) ?? true { wanted = (version, spread) }
            if highest.map({ $0 < version }) ?? true { (highest, pause) = (version, Self.firstPause) }
        }
        return schedule(within: spread, moment)
    }

    /// A fetch begins, which sees all that was hinted at until now.
    /// - Returns: Whether one was due.
    mutating func fetchBegins() -> Bool {
        let wasDue = due != nil
        (due, isCounted, isDueCounted) = (nil, isDueCounted, false)
        return wasDue
    }

    /// Whether a fetch is due.
    var isFetchDue: Bool { due != nil }

    /// Notes the end of a fetch.
    /// - Parameters:
    ///   - outcome: Its outcome.
    ///   - isNews: Whether it is another outcome than the one before.
    ///   - active: The version in use; nil if the source's document is not in use.
    ///   - moment: When it ended.
    /// - Returns: The wait before the next one; nil if none is asked for, or no more. `missing` is a version that the source does not have.
    mutating func fetched(
        _ outcome: ConfigurationOutcome, isNews: Bool, active: Int?, _ moment: Moment
    ) -> (wait: Duration?, missing: Int?) {
        let wasCounted = isCounted
        isCounted = false
        if wasCounted {
            let hasNews = isNews && [.applied, .held, .rejected].contains(outcome.kind)
            pause = hasNews ? Self.firstPause : min(pause * 2, max(longestPause, Self.firstPause))
            lastFetch = moment.uptime
        }
        // It may have asked before the change.
        if let due {
            let time = max(due, earliest(moment))
            self.due = time
            return (time - moment.uptime, nil)
        }
        let isInTime = pause < longestPause
        if let error = outcome.fetchError {
            // Without polls nothing else would ask again.
            let isAlone = pollInterval == nil && isOpen
            guard error.code != .shutDown, isAlone || (isInTime && (wasCounted || wanted != nil)) else {
                return (nil, nil)
            }
            return (schedule(after: error.retryAfter ?? .zero, within: pause * 2, moment), nil)
        }
        guard let (version, spread) = wanted else { return (nil, nil) }
        let isShown = max(outcome.version ?? 0, active ?? 0) >= version || outcome.kind == .rejected
        // A cache on the way may be slower than the hint.
        if !isShown, isInTime { return (schedule(within: max(pause, spread), moment), nil) }
        wanted = nil
        return (nil, isShown ? nil : version)
    }

    /// Asks for a fetch after a time and a random part of another one, unless an earlier one is due.
    private mutating func schedule(
        after wait: Duration = .zero, within spread: Duration = .zero, isCounted: Bool = true, _ moment: Moment
    ) -> Duration? {
        isDueCounted = isDueCounted || isCounted
        let part = spread > .zero ? spread * moment.random.fraction() : .zero
        let time = earliest(moment) + wait + part
        if let due, due <= time { return nil }
        due = time
        return time - moment.uptime
    }

    private func earliest(_ moment: Moment) -> Duration { max(moment.uptime, lastFetch.map { $0 + pause } ?? .zero) }
}

extension NamedCode<FetchError> {
    /// The server closed a stream.
    static var closed: Self { Self(rawValue: "closed") }
}

extension FetchError {
    /// Whether a server that answers with it has no stream, so that another request is pointless before a change.
    fileprivate var refusesStream: Bool {
        guard let status else { return false }
        return status == 204 || (400...499 ~= status && status != 408 && status != 429)
    }
}
