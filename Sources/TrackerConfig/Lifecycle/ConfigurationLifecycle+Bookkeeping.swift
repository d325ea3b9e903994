import FoundationEssentials

extension ConfigurationLifecycle {
    /// What is counted, awaited and remembered of fetches, polls and switches.
    struct Bookkeeping: Sendable {
        struct Polling: Sendable {
            var schedule: PollSchedule
            /// The URL of the fetch whose end the next poll is counted from.
            var awaitedURL: String?
        }

        /// The load of the cached document at the start.
        enum CacheLoad: Sendable {
            /// Fetches wait for it.
            case awaited
            /// Fetches do not wait for it any more.
            case late
            case ended
        }

        var history = FetchHistory()
        /// The URLs of the fetches that are in progress.
        var fetches: Set<String> = []
        var hasFetched = false
        var lastOutcome: ConfigurationOutcome?
        var polling: Polling?
        var cacheLoad: CacheLoad
        /// Counts the switches to other users.
        var switches = 0
        private(set) var isStopped = false

        init(cacheLoad: CacheLoad) {
            self.cacheLoad = cacheLoad
        }

        mutating func stop() {
            (isStopped, cacheLoad) = (true, .ended)
            (polling, history.nextPoll) = (nil, nil)
        }

        /// Records a configuration that was applied without a fetch.
        mutating func noteApplied(_ configuration: ActiveConfiguration?, at time: Int64) {
            guard let configuration else { return }
            note(.applied, configuration.version, configuration.sentence, at: time, needsAttention: false)
        }

        /// Records the cached documents that a start passed over, and warned of.
        mutating func note(_ skipped: [FallbackChain.Skipped], at time: Int64) {
            lastOutcome = skipped.first.map { .held($0.objection, version: $0.version) }
            for skipped in skipped { history.add(ConfigurationChange(skipped, at: Date(milliseconds: time))) }
        }

        mutating func note(
            _ kind: NamedCode<ConfigurationChange>, _ version: Int?, _ text: String, at time: Int64,
            needsAttention: Bool = true
        ) {
            history.add(
                ConfigurationChange(
                    kind: kind, version: version, text: text, time: Date(milliseconds: time),
                    needsAttention: needsAttention))
        }
    }
}

// MARK: - The cached document

extension ConfigurationLifecycle {
    mutating func cacheLoaded(_ configuration: ActiveConfiguration?) -> [Action] {
        // A late document is not applied over a fetched one, nor over what it was rolled back to.
        guard isLoadingCache, changes == 0, let configuration, configuration.document != nil else {
            return endCacheLoad()
        }
        return apply(configuration, .cached(configuration), watch: .begins)
    }

    mutating func endCacheLoad() -> [Action] {
        defer { bookkeeping.cacheLoad = .ended }
        return beginAwaitedFetch()
    }

    /// Begins the fetch that waits for the cached document.
    mutating func beginAwaitedFetch() -> [Action] {
        guard bookkeeping.cacheLoad == .awaited else { return [] }
        bookkeeping.cacheLoad = .late
        return [.cancelTimer(.cache)] + (isFetching ? [.fetch(nextFetch)] : [])
    }
}

// MARK: - Fetches

extension ConfigurationLifecycle {
    /// Begins a fetch of the current user's document, unless one is in progress; after the load of the cached document.
    mutating func beginFetch() -> [Action] {
        bookkeeping.hasFetched = true
        guard bookkeeping.fetches.insert(scope.url).inserted else { return [] }
        let actions: [Action] = streamState.request.join() ? [.cancelTimer(.signal)] : []
        return actions + (bookkeeping.cacheLoad != .awaited ? [.fetch(nextFetch)] : [])
    }

    /// Begins a fetch from whose end the next poll is counted.
    mutating func beginPolledFetch() -> [Action] {
        let url = scope.url
        bookkeeping.polling?.awaitedURL = url
        return beginFetch()
    }

    /// Completes what a source answered or signalled.
    mutating func finish(_ fetch: Fetch, _ outcome: ConfigurationOutcome, _ moment: Moment) -> [Action] {
        fetch.isSignalled ? adopted(fetch, outcome, moment) : finish(fetch.url, outcome, moment)
    }

    /// Completes a fetch: its outcome is recorded and reported, and the next poll scheduled.
    mutating func finish(_ url: String, _ outcome: ConfigurationOutcome, _ moment: Moment) -> [Action] {
        bookkeeping.fetches.remove(url)
        let isNews = outcome != bookkeeping.lastOutcome
        var actions = note(outcome, of: url, asked: true, moment)
        let isPolled = bookkeeping.polling?.awaitedURL == url
        // Whatever led to it, the next poll need not come sooner than an interval after a fetch that succeeded.
        if isPolled || (isCurrent(url) && outcome.fetchError == nil) {
            actions += schedulePoll(after: outcome, moment)
        }
        if isCurrent(url) { actions += followUp(outcome, isNews: isNews, moment) }
        return actions
    }

    /// Records an outcome, and reports it.
    /// - Parameters:
    ///   - outcome: The outcome.
    ///   - url: The URL of the document.
    ///   - asked: Whether it is the end of a fetch.
    ///   - moment: When it came.
    /// - Returns: The actions to execute.
    mutating func note(_ outcome: ConfigurationOutcome, of url: String, asked: Bool, _ moment: Moment) -> [Action] {
        // An outcome that each poll repeats is logged once at its level; another user's is a detail.
        let isNews = isCurrent(url) && outcome != bookkeeping.lastOutcome
        if isCurrent(url) { bookkeeping.lastOutcome = outcome }
        bookkeeping.history.add(outcome, isCurrent: isCurrent(url), at: moment.clocks)
        return [.report(outcome, url: asked ? url : nil, isNews ? outcome.logLevel : .debug)]
    }

    mutating func schedulePoll(after outcome: ConfigurationOutcome, _ moment: Moment) -> [Action] {
        guard var polling = bookkeeping.polling else { return [] }
        polling.awaitedURL = nil
        let wait = polling.schedule.wait(
            hasFailed: outcome.fetchError != nil, retryAfter: outcome.fetchError?.retryAfter,
            fraction: moment.random.fraction())
        bookkeeping.polling = polling
        bookkeeping.history.nextPoll = ClockReading(
            time: moment.time + Int64(wait / .milliseconds(1)), uptime: moment.uptime + wait)
        return [.startTimer(.poll, wait)]
    }
}
