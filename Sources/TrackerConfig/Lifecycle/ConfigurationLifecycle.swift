/// The life of a setup's configuration as a value: events go in, actions come out.
///
/// It does no I/O and has no clock. ``DocumentPath`` and ``ConfigurationUpdater`` execute the actions in their order, and
/// answer ``Action/apply(_:)`` with an event of their own.
package struct ConfigurationLifecycle: Sendable {
    let settings: Settings
    var activeState: ActiveState
    var heldState = HeldState()
    var canaryState = CanaryState()
    var stream: ChangeStream
    var staleness: Staleness
    var bookkeeping: Bookkeeping

    package init(_ settings: Settings) {
        self.settings = settings
        activeState = ActiveState(since: settings.startTime)
        stream = ChangeStream(pollInterval: settings.pollInterval)
        staleness = Staleness(lastContact: (settings.startTime, .zero))
        bookkeeping = Bookkeeping()
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

    /// Handles an event.
    /// - Parameters:
    ///   - event: The event.
    ///   - moment: The time of the event.
    /// - Returns: The actions to execute, in their order.
    package mutating func handle(_ event: Event, at moment: Moment) -> [Action] {
        guard !isStopped else { return handleStopped(event, moment) }
        switch event {
        case .began(let configuration, let skipped): return begin(with: configuration, skipped)
        case .started(let target): return start(target, moment)
        case .refreshRequested: return beginFetch()
        case .pollElapsed: return beginPolledFetch()
        case .fetched(let fetch, let answer): return fetched(fetch, answer, moment)
        case .hinted(let hint, let number): return hinted(hint, number, moment)
        case .streamEnded(let failure, let number): return streamEnded(failure, number, moment)
        case .streamMissing: return streamMissing()
        case .streamElapsed: return streamElapsed()
        case .hintElapsed: return beginHintedFetch()
        case .contactMissed: return contactMissed(moment)
        case .applied(let result): return applied(result, moment)
        case .applicationFailed(let error): return applicationFailed(error, moment)
        case .canaryObserved(let trackers, let reversion): return canaryObserved(trackers, reversion, moment)
        case .stopped: return stop(moment)
        }
    }

    /// After the end only the callers of fetches are answered.
    private mutating func handleStopped(_ event: Event, _ moment: Moment) -> [Action] {
        switch event {
        case .refreshRequested where !isFetching: finish(.shutDown, moment)
        case .fetched: finish(.shutDown, moment)
        default: []
        }
    }

    private mutating func stop(_ moment: Moment) -> [Action] {
        bookkeeping.stop()
        (canaryState.current, activeState.change) = (nil, nil)
        stream.close()
        return [.cancelAll]
    }

    private mutating func begin(
        with configuration: ActiveConfiguration?, _ skipped: [CachedDocuments.Skipped]
    ) -> [Action] {
        guard let configuration else {
            bookkeeping.note(skipped, at: settings.startTime)
            return []
        }
        return apply(configuration, .start(configuration, skipped), watch: .begins)
    }

    private mutating func start(_ target: RollbackTarget?, _ moment: Moment) -> [Action] {
        var actions: [Action] = [.startTimer(.startup, settings.startupWindow)]
        if let target { actions += resumeCanary(target, moment) }
        if let interval = settings.pollInterval {
            bookkeeping.polling = Bookkeeping.Polling(schedule: PollSchedule(interval: interval))
        }
        actions += follow(moment)
        // A refresh may have begun the first fetch; the polls don't wait for its end.
        actions += bookkeeping.hasFetched ? schedulePoll(after: .notModified, moment) : beginPolledFetch()
        return actions + openStream()
    }
}
