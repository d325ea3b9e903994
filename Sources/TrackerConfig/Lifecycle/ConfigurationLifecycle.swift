import TrackerFeatures

/// The lifecycle of a setup's configuration: decides about fetches, hints, timers and canaries, and calls its host to
/// act.
///
/// It does no I/O and has no clock, so a simulation can be its host.
package struct ConfigurationLifecycle: Sendable {
    let settings: Settings
    var activeState: ActiveState
    var heldState = HeldState()
    var canaryState = CanaryState()
    var stream: ChangeStream
    var staleness: Staleness
    var bookkeeping = Bookkeeping()

    package init(_ settings: Settings) {
        self.settings = settings
        activeState = ActiveState(since: settings.startTime)
        stream = ChangeStream(pollInterval: settings.pollInterval)
        staleness = Staleness(lastContact: (settings.startTime, .zero))
    }

    /// The configuration in use; nil if there is none.
    package var active: ActiveConfiguration? { activeState.configuration }

    /// The number of changes to another configuration.
    package var changes: Int { activeState.changes }

    package var canary: Canary? { canaryState.current }

    package var isStopped: Bool { bookkeeping.isStopped }

    var history: FetchHistory { bookkeeping.history }

    /// Whether a fetch is in progress.
    package var isFetching: Bool { bookkeeping.isFetching }

    /// The target of a rollback if a document is applied now: during a canary its own target, otherwise the active
    /// configuration.
    package var rollbackTarget: ActiveConfiguration? { canary.map(\.rollbackTarget) ?? active }

    /// Starts with a configuration.
    /// - Parameters:
    ///   - configuration: The configuration; nil if there is none.
    ///   - skipped: The cached documents that were skipped.
    ///   - host: The host.
    /// - Throws: An error if a tracker cannot work.
    package mutating func begin(
        with configuration: ActiveConfiguration?, skipped: [CachedDocuments.Skipped] = [], _ host: some LifecycleHost
    ) throws(ConfigurationError) {
        let result = try configuration.map { (configuration) throws(ConfigurationError) in
            try host.apply(configuration, removing: [], isWatched: true, after: nil)
        }
        // The initial configuration does not count as a change.
        activeState.configuration = configuration
        if let configuration { bookkeeping.noteApplied(configuration, at: settings.startTime) }
        bookkeeping.note(skipped, at: settings.startTime)
        if let configuration, let result { host.publish(configuration, result, []) }
    }

    /// Starts the first fetch, the polls and the stream.
    /// - Parameters:
    ///   - target: The rollback target if the cached document in use is a canary from an earlier process.
    ///   - host: The host.
    package mutating func start(_ target: RollbackTarget?, _ host: some LifecycleHost) {
        guard !isStopped else { return }
        host.start(.startup, after: settings.startupWindow)
        if let target { resumeCanary(target, host) }
        bookkeeping.polling = settings.pollInterval.map { Bookkeeping.Polling(schedule: PollSchedule(interval: $0)) }
        staleness.lastContact = (host.moment.time, host.moment.uptime)
        awaitContact(host)
        // A refresh may have started the first fetch; the polls do not wait for its end.
        if bookkeeping.hasFetched { schedulePoll(after: .notModified, host) } else { beginPolledFetch(host) }
        openStream(host)
    }

    /// Begins a fetch, unless one is in progress.
    package mutating func refresh(_ host: some LifecycleHost) {
        if !isStopped { beginFetch(host) } else if !isFetching { finish(.shutDown, host) }
    }

    /// Handles a timer; the host handles ``Timer/canary`` and ``Timer/startup`` itself.
    package mutating func elapsed(_ timer: Timer, _ host: some LifecycleHost) {
        guard !isStopped else { return }
        switch timer {
        case .poll: beginPolledFetch(host)
        case .stream: if stream.isWaiting { openStream(host) }
        case .hint: beginHintedFetch(host)
        case .staleness: contactMissed(host)
        case .canary, .startup: break
        }
    }

    /// Stops; afterwards only the callers of fetches are answered.
    package mutating func stop(_ host: some LifecycleHost) {
        guard !isStopped else { return }
        bookkeeping.stop()
        canaryState.current = nil
        stream.close()
        host.cancelAll()
    }
}
