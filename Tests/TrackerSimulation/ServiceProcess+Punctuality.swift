import TrackerConfig
import TrackerFeatures

extension ServiceProcess {
    /// What a process has asked for, and when.
    struct Punctuality {
        /// The publications at the URL that the origin has answered with.
        var seen = 0
        /// When the process started, in milliseconds.
        let since: Int64
        /// Whether the last fetch failed.
        var hasFailed = false
        /// Whether any fetch has succeeded.
        var hasFetched = false
        private var lastOutcome: ConfigurationOutcome?
        /// The highest version of a hint while a lower one was in use.
        private var highest: Int?
        /// When a hint led to a fetch last, in milliseconds.
        private var lastHinted: Int64?
        /// The fetches in a row that hints led to, and that brought nothing.
        private var fruitless = 0
        private var isHinted = false

        init(since: Int64) {
            self.since = since
        }

        /// A hint comes. A version that is named for the first time may be fetched soon, however many fetches brought nothing.
        mutating func noteHint(_ hint: ChangeHint, active: Int?) {
            guard let version = hint.version, version > active ?? -1, version > highest ?? -1 else { return }
            (highest, fruitless) = (version, 0)
        }

        /// A fetch begins.
        /// - Returns: By how much it is too soon, in milliseconds; nil if it is not.
        mutating func noteFetch(isHinted: Bool, at time: Int64) -> Int64? {
            self.isHinted = isHinted
            guard isHinted else { return nil }
            // A hint that comes while the last one's fetch is in progress does not know yet what that brings.
            let doublings = max(min(fruitless, 6) - 1, 0)
            let earliest = lastHinted.map { $0 + (1_000 << doublings) } ?? time
            lastHinted = time
            return time < earliest ? earliest - time : nil
        }

        /// The origin answers; nil if it does not.
        mutating func noteAnswer(_ publication: Publication?) {
            hasFailed = publication == nil
            guard let publication else { return }
            hasFetched = true
            seen = max(seen, publication.number + 1)
        }

        mutating func noteOutcome(_ outcome: ConfigurationOutcome) {
            // A poll may take the place of a fetch that a hint asks for.
            if outcome != lastOutcome, [.applied, .held, .rejected].contains(outcome.kind) {
                fruitless = 0
            } else if isHinted {
                fruitless += 1
            }
            (lastOutcome, isHinted) = (outcome, false)
        }

        /// A version is reverted. What was found before it is news again.
        mutating func noteReversion() { lastOutcome = nil }
    }

    /// A poll's interval with its jitter, a fetch's time-out, and two seconds for what is late.
    private static let latest: Int64 = 66_000 + 10_000 + 2_000

    /// Whatever the stream does, what is published has been fetched after an interval and a time-out, while the origin works.
    func checkPunctuality() {
        guard !lifecycle.isStopped, !punctuality.hasFailed, let works = world.originWorksSince,
            let published = world.server.published[DocumentServer.url], punctuality.seen < published.count
        else { return }
        let publication = published[punctuality.seen]
        let wait = world.clock.milliseconds - max(publication.time, punctuality.since, works)
        if wait > Self.latest {
            world.fail("process \(seat) has not asked for \(publication.words) for \(wait) ms, and the origin works")
        }
    }

    /// Hints lead to at most one fetch a second, and to fewer while those bring nothing.
    func checkFetch() {
        var isHinted = cause != .other
        // The first connection of a process is not one of a fleet that comes back.
        if cause == .hint, stream.isFirst { (isHinted, stream.isFirst) = (false, false) }
        world.say("process \(seat) fetches\(isHinted ? " after a hint" : "")")
        guard let early = punctuality.noteFetch(isHinted: isHinted, at: world.clock.milliseconds) else {
            if isHinted { world.coverage.count(.hintedFetches) }
            return
        }
        world.fail("a hint leads to a fetch of process \(seat) \(early) ms too soon")
    }

    /// The version in use; nil for the default.
    var activeVersion: Int? { lifecycle.active?.document?.version }

    /// A hint at something new leads to a fetch.
    func checkAnswered(_ hint: ChangeHint, about publication: Publication?) {
        guard let publication, punctuality.seen <= publication.number,
            !lifecycle.isFetching
        else { return }
        if let version = hint.version, let activeVersion, version <= activeVersion { return }
        let isAwaited = world.agenda.contains(of: life) { if case .timer(.hint, _) = $0 { true } else { false } }
        if !isAwaited { world.fail("a hint at \(publication.words) leads process \(seat) to nothing") }
    }

    /// There is a connection, or something waits for the next one.
    func checkStream(hasTimer: Bool) {
        if stream.connection == nil, !hasTimer, !stream.awaitsFetch {
            world.fail("process \(seat) will never connect again")
        }
    }
}
