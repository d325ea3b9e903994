/// The life of a setup's configuration: decides what follows from a fetch, a hint, a timer and a canary, and has its host do it.
///
/// It does no I/O and has no clock; the simulation is a host too.
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

    /// Counts how often another configuration was applied.
    package var changes: Int { activeState.changes }

    package var canary: Canary? { canaryState.current }

    package var isStopped: Bool { bookkeeping.isStopped }

    var history: FetchHistory { bookkeeping.history }

    /// Whether a fetch is in progress.
    package var isFetching: Bool { bookkeeping.isFetching }

    /// The configuration that a document that is applied now could be rolled back to: a canary has not proved itself, what
    /// was before it has.
    package var rollbackTarget: ActiveConfiguration? { canary.map(\.rollbackTarget) ?? active }

    /// Begins with a configuration.
    /// - Parameters:
    ///   - configuration: The configuration; nil if there is none.
    ///   - skipped: The cached documents that were passed over.
    ///   - host: The host.
    /// - Throws: An error if a tracker could not work.
    package mutating func begin(
        with configuration: ActiveConfiguration?, skipped: [CachedDocuments.Skipped] = [], _ host: some LifecycleHost
    ) throws(ConfigurationError) {
        let result = try configuration.map { (configuration) throws(ConfigurationError) in
            try host.apply(configuration, removing: [], isWatched: true, after: nil)
        }
        // The start is no change.
        activeState.configuration = configuration
        if let configuration { bookkeeping.noteApplied(configuration, at: settings.startTime) }
        bookkeeping.note(skipped, at: settings.startTime)
        if let configuration, let result { host.publish(configuration, result, []) }
    }

    /// Begins the first fetch, the polls and the stream.
    /// - Parameters:
    ///   - target: If the cached document in use is a canary that an earlier process began, what that can be rolled back to.
    ///   - host: The host.
    package mutating func start(_ target: RollbackTarget?, _ host: some LifecycleHost) {
        guard !isStopped else { return }
        host.start(.startup, after: settings.startupWindow)
        if let target { resumeCanary(target, host) }
        bookkeeping.polling = settings.pollInterval.map { Bookkeeping.Polling(schedule: PollSchedule(interval: $0)) }
        staleness.lastContact = (host.moment.time, host.moment.uptime)
        awaitContact(host)
        // A refresh may have begun the first fetch; the polls don't wait for its end.
        if bookkeeping.hasFetched { schedulePoll(after: .notModified, host) } else { beginPolledFetch(host) }
        openStream(host)
    }

    /// Begins a fetch, unless one is in progress.
    package mutating func refresh(_ host: some LifecycleHost) {
        if !isStopped { beginFetch(host) } else if !isFetching { finish(.shutDown, host) }
    }

    /// Does what a timer waited for; the host does it for ``Timer/canary`` and ``Timer/startup``.
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

    /// Ends; after that only the callers of fetches are answered.
    package mutating func stop(_ host: some LifecycleHost) {
        guard !isStopped else { return }
        bookkeeping.stop()
        canaryState.current = nil
        stream.close()
        host.cancelAll()
    }
}
