/// The life of a setup's configuration as a value: events go in, actions come out.
///
/// It does no I/O and has no clock. ``DocumentPath`` and ``ConfigurationUpdater`` execute the actions in their order. They
/// answer ``Action/apply(_:)`` and, at once or later, ``Action/findRollbackTarget(_:)`` and ``Action/loadCache`` with an
/// event of their own.
package struct ConfigurationLifecycle: Sendable {
    let settings: Settings
    /// The documents of the current user.
    package internal(set) var documents: UserDocuments
    var activeState: ActiveState
    var heldState = HeldState()
    var canaryState = CanaryState()
    var streamState = StreamState()
    var staleness: Staleness
    var bookkeeping: Bookkeeping

    package init(_ settings: Settings, _ documents: UserDocuments) {
        (self.settings, self.documents) = (settings, documents)
        activeState = ActiveState(since: settings.startTime)
        staleness = Staleness(start: ClockReading(time: settings.startTime, uptime: .zero))
        bookkeeping = Bookkeeping(cacheLoad: settings.cacheTimeout == nil ? .ended : .awaited)
    }

    /// The configuration in use; nil if there is none.
    package var active: ActiveConfiguration? { activeState.configuration }

    /// Counts how often another configuration was applied.
    package var changes: Int { activeState.changes }

    /// Counts the switches to other users.
    package var switches: Int { bookkeeping.switches }

    package var canary: Canary? { canaryState.current }

    package var isStopped: Bool { bookkeeping.isStopped }

    var history: FetchHistory { bookkeeping.history }

    package var scope: UserScope { documents.scope }

    /// Whether the cached document that the setup did not start with could still be applied.
    package var isLoadingCache: Bool { bookkeeping.cacheLoad != .ended }

    /// Whether a fetch of the current user's document is in progress.
    package var isFetching: Bool { bookkeeping.fetches.contains(scope.url) }

    /// The configuration that a document that is applied now could be rolled back to: a canary has not proved itself, what
    /// was before it has.
    package var rollbackTarget: ActiveConfiguration? { canary.map(\.rollbackTarget) ?? active }

    /// Whether a URL is the one of the current user's document.
    package func isCurrent(_ url: String) -> Bool { url == scope.url }

    /// Handles an event.
    /// - Parameters:
    ///   - event: The event.
    ///   - moment: The time of the event.
    /// - Returns: The actions to execute, in their order.
    package mutating func handle(_ event: Event, at moment: Moment) -> [Action] {
        guard !isStopped else { return handleStopped(event, moment) }
        switch event {
        case .began(let configuration, let skipped): return begin(with: configuration, skipped)
        case .started: return start(moment)
        case .cacheLoaded(let configuration): return cacheLoaded(configuration)
        case .cacheTimedOut: return beginAwaitedFetch()
        case .refreshRequested: return beginFetch()
        case .pollElapsed: return beginPolledFetch()
        case .fetched(let fetch, let answer): return fetched(fetch, answer, moment)
        case .signalled(let signal, let number): return signalled(signal, number, moment)
        case .streamEnded(let number): return streamEnded(nil, number, moment)
        case .streamMissing: return streamMissing()
        case .streamElapsed: return streamElapsed()
        case .signalElapsed: return beginSignalledFetch(moment)
        case .contactMissed: return contactMissed(moment)
        case .applied(let result): return applied(result, moment)
        case .applicationFailed(let error): return applicationFailed(error, moment)
        case .canaryObserved(let trackers, let reversion): return canaryObserved(trackers, reversion, moment)
        case .rollbackTargetFound(let target, let search): return resumeCanary(target, search, moment)
        case .userChanged(let next): return changeUser(next)
        case .stopped: return stop(moment)
        }
    }

    /// After the end only the callers of fetches are answered.
    private mutating func handleStopped(_ event: Event, _ moment: Moment) -> [Action] {
        switch event {
        case .refreshRequested where !isFetching: finish(scope.url, .shutDown, moment)
        case .fetched(let fetch, _) where !fetch.isSignalled: finish(fetch.url, .shutDown, moment)
        default: []
        }
    }

    private mutating func stop(_ moment: Moment) -> [Action] {
        // A fetch that waits for the cache has no task that would answer its callers.
        let waits = bookkeeping.cacheLoad == .awaited && isFetching
        bookkeeping.stop()
        (canaryState.current, activeState.change) = (nil, nil)
        streamState.close()
        return [.cancelAll] + (waits ? finish(scope.url, .shutDown, moment) : [])
    }

    private mutating func begin(
        with configuration: ActiveConfiguration?, _ skipped: [FallbackChain.Skipped]
    ) -> [Action] {
        guard let configuration else {
            bookkeeping.note(skipped, at: settings.startTime)
            return []
        }
        return apply(configuration, .start(configuration, skipped), watch: .begins)
    }

    private mutating func start(_ moment: Moment) -> [Action] {
        var actions: [Action] = [.startTimer(.startup, settings.startupWindow)] + findRollbackTarget()
        if isLoadingCache { actions.append(.loadCache) }
        if bookkeeping.cacheLoad == .awaited, let timeout = settings.cacheTimeout {
            actions.append(.startTimer(.cache, timeout))
        }
        if let interval = settings.pollInterval {
            bookkeeping.polling = Bookkeeping.Polling(schedule: PollSchedule(interval: interval))
        }
        actions += follow(moment)
        // A refresh may have begun the first fetch; the polls don't wait for its end.
        actions += bookkeeping.hasFetched ? schedulePoll(after: .notModified, moment) : beginPolledFetch()
        return actions + openStream()
    }
}
