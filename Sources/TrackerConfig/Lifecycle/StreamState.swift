import FoundationEssentials

/// The connection over which the source signals, and what came over it.
struct StreamState: Sendable {
    enum Connection: Sendable {
        /// The source has no signals, none yet, or refuses them; the next fetch that succeeds asks again.
        case none
        case opening
        case open(since: ClockReading)
        /// It ended, and is opened again after a wait.
        case waiting
    }

    // A connection that lasted shorter is no better than one that failed.
    private static let shortest = Duration.seconds(60)
    private static let firstPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(60)

    private(set) var connection = Connection.none
    /// Distinguishes the signals of a connection from those of the ones before.
    private(set) var number = 0
    /// Whether the current user's source has signalled, or has failed to.
    private(set) var isOffered = false
    /// Whether the current user's source has been connected.
    private(set) var wasConnected = false
    /// Whether a failure belongs to the last ones: no connection has lasted since.
    private(set) var isSeries = false
    /// Whether a connection was open since the first of them.
    private(set) var hasReturned = false
    /// Whether the last connection failed and none is open since.
    private(set) var isFailing = false
    /// The last failures in a row, and when the first of them was; nil before the first.
    private(set) var outage: (failures: FetchOutage, start: ClockReading)?
    /// The last signal, also one that says that the connection is open.
    private(set) var lastSignal: ClockReading?
    /// The number of signals, by kind.
    private(set) var counts: [NamedCode<SourceSignal>: Int] = [:]
    /// The fetch that signals ask for.
    var request = SignalledFetch()
    /// Documents that come with signals.
    var offer = SignalledDocument()
    /// The last version of which a signal said when it was published.
    var publication: (version: Int, time: Date)?
    /// How long documents took from their publication to this process.
    var propagation = DurationHistogram.propagation
    private var pauses = Backoff()

    var isOpen: Bool {
        if case .open = connection { true } else { false }
    }

    var isOpening: Bool {
        if case .opening = connection { true } else { false }
    }

    var isWaiting: Bool {
        if case .waiting = connection { true } else { false }
    }

    mutating func count(_ kind: NamedCode<SourceSignal>) {
        counts[kind, default: 0] += 1
    }

    mutating func note(_ signal: SourceSignal, _ now: ClockReading) {
        isOffered = true
        count(signal.kind)
        if signal.kind != .disconnected { lastSignal = now }
    }

    /// Begins another connection.
    /// - Returns: Its number.
    mutating func open() -> Int {
        number += 1
        connection = .opening
        return number
    }

    /// The source has none, or none any more.
    mutating func missing() {
        (connection, isOffered, isFailing) = (.none, false, false)
    }

    mutating func connected(_ now: ClockReading) {
        if isSeries { hasReturned = true }
        (connection, wasConnected, isFailing) = (.open(since: now), true, false)
    }

    /// Follows another source, of which nothing is known.
    mutating func follow() {
        close()
        (isOffered, outage, lastSignal) = (false, nil, nil)
    }

    /// Closes the connection, and forgets what it has led to.
    mutating func close() {
        number += 1
        (connection, wasConnected, isFailing) = (.none, false, false)
        (isSeries, hasReturned) = (false, false)
        (request, offer, publication, pauses) = (SignalledFetch(), SignalledDocument(), nil, Backoff())
    }

    /// Notes that the connection has ended.
    /// - Parameters:
    ///   - failure: How it failed; nil if the other side ended it.
    ///   - now: The clocks now.
    ///   - fraction: A random number in 0 ..< 1.
    ///   - isPolled: Whether there will be fetches after which to ask a server again that refuses.
    /// - Returns: The wait before the next one; nil if the server refuses it.
    mutating func ended(
        _ failure: FetchError?, _ now: ClockReading, fraction: Double, isPolled: Bool
    ) -> Duration? {
        number += 1
        isOffered = true
        var failure = failure
        let asked = min(max(failure?.retryAfter ?? .zero, .zero), Backoff.maxRetryAfter)
        if case .open(let since) = connection, now.uptime - since.uptime >= Self.shortest {
            pauses.reset()
            (isSeries, hasReturned) = (false, false)
            // A server that closes what has lasted, and says when to come back, has not failed.
            if failure?.code == .closed { failure = nil }
        } else if failure == nil {
            let moment = isOpen ? "within a minute" : "before it was open"
            failure = FetchError(.transport, reason: "the source closed the connection of its signals \(moment)")
        }
        if let failure {
            let date = Date(milliseconds: now.time)
            let (earlier, start) = isSeries ? (outage?.failures, outage?.start) : (nil, nil)
            let failures = FetchOutage(
                since: earlier?.since ?? date, lastTime: date, tries: (earlier?.tries ?? 0) + 1, text: failure.reason)
            (outage, isFailing, isSeries) = ((failures, start ?? now), true, true)
        }
        connection = isPolled && failure?.refusesStream == true ? .none : .waiting
        guard isWaiting else { return nil }
        // Instances that were asked to wait for the same time return spread.
        return asked
            + pauses.next(fraction: fraction, retryAfter: nil, first: Self.firstPause, most: Self.longestPause)
    }
}

/// The fetch that signals ask for: one for all that come until it begins, and at least a second after the one before.
struct SignalledFetch: Sendable {
    private static let firstPause = Duration.seconds(1)

    /// When it is due; nil if none is waited for.
    private(set) var due: Duration?
    /// Whether one that a signal asked for is in progress.
    private(set) var isInProgress = false
    /// Whether the fetch in progress takes the place of one that was waited for; it is not counted among those of signals.
    private(set) var isJoined = false
    /// Whether a signal came while a fetch was in progress that may have asked before the change.
    var isRepeated = false
    /// Whether the first connection was opened then; the fetch that follows is not counted among those of signals.
    var isRepeatedForConnection = false
    /// The version that was signalled and that the source has not shown yet.
    private(set) var version: Int?
    /// The highest version that was signalled.
    private var highest: Int?
    /// The spread with which it was signalled.
    private(set) var spread = Duration.zero
    /// The least time between two, which doubles while there is nothing new.
    private(set) var pause = firstPause
    /// The lower version that was logged last.
    var loggedVersion: Int?
    /// What could not be read of a signal and was logged last.
    var loggedFault: String?
    private var last: Duration?

    /// Expects the source to show a version.
    mutating func expect(_ version: Int, _ spread: Duration) {
        if self.version.map({ $0 < version }) ?? true { (self.version, self.spread) = (version, spread) }
        guard highest.map({ $0 < version }) ?? true else { return }
        (highest, pause) = (version, Self.firstPause)
    }

    mutating func expectNothing() {
        version = nil
    }

    /// Asks for a fetch.
    /// - Returns: The wait before it; nil if an earlier one is due.
    mutating func schedule(after wait: Duration, at uptime: Duration) -> Duration? {
        let time = max(uptime, last.map { $0 + pause } ?? uptime) + wait
        if let due, due <= time { return nil }
        due = time
        return time - uptime
    }

    mutating func takeRepetition() -> (isForConnection: Bool, isRepeated: Bool) {
        defer { (isRepeated, isRepeatedForConnection) = (false, false) }
        return (isRepeatedForConnection, isRepeated)
    }

    /// Any fetch that begins sees what was signalled before it.
    /// - Returns: Whether one was waited for.
    mutating func join() -> Bool {
        guard due != nil else { return false }
        (due, isJoined) = (nil, true)
        return true
    }

    mutating func begin(at uptime: Duration) {
        (due, isInProgress, last) = (nil, true, uptime)
    }

    /// Notes the end of a fetch.
    /// - Parameters:
    ///   - hasNews: Whether it led to another document.
    ///   - longest: The longest pause.
    mutating func end(hasNews: Bool, longest: Duration) {
        isJoined = false
        guard isInProgress else { return }
        isInProgress = false
        pause = hasNews ? Self.firstPause : min(pause * 2, max(longest, Self.firstPause))
    }
}

/// A document that came with a signal: one is reviewed at a time.
struct SignalledDocument: Sendable {
    /// Whether one is reviewed.
    var isInReview = false
    /// When that was published.
    var publication: Date?
    /// The next one; a later one takes its place.
    var next: SourceSignal?
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
