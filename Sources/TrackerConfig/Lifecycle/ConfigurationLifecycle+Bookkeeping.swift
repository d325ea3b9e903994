import FoundationEssentials

extension ConfigurationLifecycle {
    /// What is counted, awaited and remembered of fetches and polls.
    struct Bookkeeping: Sendable {
        struct Polling: Sendable {
            var schedule: PollSchedule
            /// Whether the next poll is counted from the end of the fetch in progress.
            var isAwaited = false
        }

        var history = FetchHistory()
        var isFetching = false
        var hasFetched = false
        var polling: Polling?
        private(set) var isStopped = false

        mutating func stop() {
            isStopped = true
            (polling, history.nextPoll) = (nil, nil)
        }

        /// Records a configuration that was applied without a fetch.
        mutating func noteApplied(_ configuration: ActiveConfiguration, at time: Int64) {
            note(.applied, configuration.version, configuration.sentence, at: time, needsAttention: false)
        }

        /// Records the cached documents that a start passed over, and warned of.
        mutating func note(_ skipped: [CachedDocuments.Skipped], at time: Int64) {
            history.last = skipped.first.map { .held($0.objection, version: $0.version) }
            for skipped in skipped { history.add(ConfigurationChange(skipped, at: Date(milliseconds: time))) }
        }

        mutating func note(
            _ kind: NamedCode<ConfigurationOutcome>, _ version: Int?, _ text: String, at time: Int64,
            needsAttention: Bool = true
        ) {
            history.add(
                ConfigurationChange(
                    kind: kind, version: version, text: text, time: Date(milliseconds: time),
                    needsAttention: needsAttention))
        }
    }
}

// MARK: - Fetches

extension ConfigurationLifecycle {
    mutating func beginFetch(_ host: some LifecycleHost) {
        bookkeeping.hasFetched = true
        guard !isFetching else { return }
        bookkeeping.isFetching = true
        if stream.fetchBegins() { host.cancel(.hint) }
        host.fetch(nextFetch)
    }

    /// Begins a fetch from whose end the next poll is counted.
    mutating func beginPolledFetch(_ host: some LifecycleHost) {
        bookkeeping.polling?.isAwaited = true
        beginFetch(host)
    }

    /// Completes a fetch: its outcome is recorded and reported, and the next poll scheduled.
    mutating func finish(_ outcome: ConfigurationOutcome, _ host: some LifecycleHost) {
        bookkeeping.isFetching = false
        let isNews = bookkeeping.history.add(outcome, at: host.moment.time)
        // One that each poll repeats is logged once at its level.
        host.report(outcome, isNews ? outcome.logLevel : .debug)
        let isPolled = bookkeeping.polling?.isAwaited == true
        // Whatever led to it, the next poll need not come sooner than an interval after a fetch that succeeded.
        if isPolled || outcome.fetchError == nil { schedulePoll(after: outcome, host) }
        followUp(outcome, isNews: isNews, host)
    }

    mutating func schedulePoll(after outcome: ConfigurationOutcome, _ host: some LifecycleHost) {
        guard var polling = bookkeeping.polling else { return }
        let moment = host.moment
        polling.isAwaited = false
        let wait = polling.schedule.wait(
            hasFailed: outcome.fetchError != nil, retryAfter: outcome.fetchError?.retryAfter,
            fraction: moment.random.fraction())
        bookkeeping.polling = polling
        bookkeeping.history.nextPoll = moment.time + Int64(wait / .milliseconds(1))
        host.start(.poll, after: wait)
    }
}
