import TrackerConfig
import TrackerCore

extension ServiceProcess {
    /// What a process has asked for, and when.
    struct Punctuality {
        /// The publications at the URL that the origin has answered with.
        var seen = 0
        /// The URL of the current user's document.
        let url: String
        /// When the user became the current one, in milliseconds.
        let since: Int64
        /// Whether the last fetch failed.
        var hasFailed = false
        /// Whether any fetch has succeeded.
        var hasFetched = false
        private var lastOutcome: ConfigurationOutcome?
        /// The highest version that was signalled while a lower one was in use.
        private var highest: Int?
        /// The tags of other contents of a version in use that were signalled.
        private var tags: Set<String> = []
        /// When a signal led to a fetch last, in milliseconds.
        private var lastSignalled: Int64?
        /// The fetches in a row that signals led to, and that brought nothing.
        private var fruitless = 0
        private var isSignalled = false

        init(of url: String, since: Int64) {
            (self.url, self.since) = (url, since)
        }

        /// A signal comes. What it says for the first time may be fetched soon, however many fetches brought nothing.
        mutating func noteSignal(_ signal: SourceSignal, active: Int?) {
            guard let version = signal.version else { return }
            if let active, version <= active {
                if version == active, let tag = signal.entityTag, tags.insert(tag).inserted { fruitless = 0 }
            } else if highest.map({ $0 < version }) ?? true {
                (highest, fruitless) = (version, 0)
            }
        }

        /// A fetch begins.
        /// - Returns: By how much it is too soon, in milliseconds; nil if it is not.
        mutating func noteFetch(isSignalled: Bool, at time: Int64) -> Int64? {
            self.isSignalled = isSignalled
            guard isSignalled else { return nil }
            // A signal that comes while the last one's fetch is in progress does not know yet what that brings.
            let doublings = max(min(fruitless, 6) - 1, 0)
            let earliest = lastSignalled.map { $0 + (1_000 << doublings) } ?? time
            lastSignalled = time
            return time < earliest ? earliest - time : nil
        }

        /// The origin answers; nil if it does not.
        mutating func noteAnswer(_ publication: Publication?) {
            hasFailed = publication == nil
            guard let publication else { return }
            hasFetched = true
            seen = max(seen, publication.number + 1)
        }

        mutating func noteOutcome(_ outcome: ConfigurationOutcome, ofFetch isFetch: Bool) {
            let isNews = outcome != lastOutcome && [.applied, .held, .rejected].contains(outcome.kind)
            lastOutcome = outcome
            guard isFetch, isSignalled else { return }
            (isSignalled, fruitless) = (false, isNews ? 0 : fruitless + 1)
        }
    }

    /// A poll's interval with its jitter, a fetch's time-out, and two seconds for what is late.
    private static let latest: Int64 = 66_000 + 10_000 + 2_000

    /// Whatever the stream does, what is published has been fetched after an interval and a time-out, while the origin works.
    func checkPunctuality() {
        guard !lifecycle.isStopped, !punctuality.hasFailed, let works = world.originWorksSince,
            let published = world.server.published[lifecycle.scope.url], punctuality.seen < published.count
        else { return }
        let publication = published[punctuality.seen]
        let wait = world.clock.milliseconds - max(publication.time, punctuality.since, works)
        if wait > Self.latest {
            world.fail("process \(seat) has not asked for \(publication.words) for \(wait) ms, and the origin works")
        }
    }

    /// Signals lead to at most one fetch a second, and to fewer while those bring nothing.
    func checkFetch(of event: Lifecycle.Event, _ actions: [Lifecycle.Action]) {
        let isFollowing = actions.contains { if case .report = $0 { true } else { false } }
        var isSignalled = isFollowing
        var isForConnection = isFollowing
        switch event {
        case .signalled(let signal, _): (isSignalled, isForConnection) = (true, signal.kind == .connected)
        case .signalElapsed, .streamEnded, .streamElapsed: isSignalled = true
        default: break
        }
        // The first connection of a process is not one of a fleet that comes back.
        if stream.isFirst, isForConnection { (isSignalled, stream.isFirst) = (false, false) }
        world.say("process \(seat) fetches\(isSignalled ? " after a signal" : "")")
        guard let early = punctuality.noteFetch(isSignalled: isSignalled, at: world.clock.milliseconds) else {
            if isSignalled { world.coverage.count(.signalledFetches) }
            return
        }
        world.fail("a signal leads to a fetch of process \(seat) \(early) ms too soon")
    }

    /// The version in use, if the current user's document has it.
    var activeVersion: Int? {
        lifecycle.active?.url == lifecycle.scope.url ? lifecycle.active?.version : nil
    }

    /// A signal of something new leads to a fetch.
    func checkAnswered(_ signal: SourceSignal, about publication: Publication?) {
        guard let publication, publication.url == lifecycle.scope.url, punctuality.seen <= publication.number,
            !lifecycle.isFetching
        else { return }
        if let version = signal.version, let activeVersion, version <= activeVersion { return }
        let isAwaited = world.agenda.contains(of: life) { if case .timer(.signal, _) = $0 { true } else { false } }
        if !isAwaited { world.fail("a signal of \(publication.words) leads process \(seat) to nothing") }
    }

    /// There is one connection, or something waits for the next one.
    func checkStream(hasTimer: Bool) {
        if stream.connections.count > 1 { world.fail("process \(seat) has \(stream.connections.count) connections") }
        if stream.connections.isEmpty, !hasTimer, !stream.awaitsFetch {
            world.fail("process \(seat) will never connect again")
        }
    }
}
