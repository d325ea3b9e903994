import FoundationEssentials
import TrackerFeatures

extension ConfigurationLifecycle {
    /// The counters, timers and history of fetches and polls.
    struct Bookkeeping: Sendable {
        struct Polling: Sendable {
            var schedule: PollSchedule
            /// Whether the next poll is scheduled at the end of the fetch in progress.
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

        /// Records the cached documents that a start skipped with a warning.
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

    /// Begins a fetch; the next poll is scheduled at its end.
    mutating func beginPolledFetch(_ host: some LifecycleHost) {
        bookkeeping.polling?.isAwaited = true
        beginFetch(host)
    }

    /// Completes a fetch: records and reports its outcome, and schedules the next poll.
    mutating func finish(_ outcome: ConfigurationOutcome, _ host: some LifecycleHost) {
        bookkeeping.isFetching = false
        let isNews = bookkeeping.history.add(outcome, at: host.moment.time)
        // An outcome that each poll repeats is logged once at its own level.
        host.report(outcome, isNews ? outcome.logLevel : .debug)
        let isPolled = bookkeeping.polling?.isAwaited == true
        // After any successful fetch, the next poll can wait for a full interval.
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
