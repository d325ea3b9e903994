extension Tracker {
    /// Stops tracking until `resume()`; further events are counted as dropped. A refresh does not resume. Neither this
    /// nor a getter ever waits in a forked child.
    public func pause() {
        _ = access { $0.isPaused = true }
    }

    /// Resumes tracking.
    public func resume() {
        _ = access { $0.isPaused = false }
    }

    /// Whether the tracker is paused.
    public var isPaused: Bool { access(\.isPaused) ?? false }

    /// Sends the stored events: at once, and after failures with the back-off.
    /// - Parameter timeout: The longest wait for an empty queue.
    /// - Returns: The numbers of the tracker's events by outcome, when the queue is empty, at the timeout, or at once
    ///   if the emitter is paused.
    @discardableResult
    public func flush(timeout: Duration = .seconds(5)) async -> TrackerCounters {
        // The pipeline's thread does not exist in a forked child.
        if pipeline.forkGuard.isOwnProcess { await pipeline.flush(namespaceEmitter, timeout: timeout) }
        return counters
    }

    /// Shuts the tracker down: it stops tracking and sends the stored events within the timeout. Events that remain
    /// stay in the store.
    ///
    /// The pipeline continues for other trackers; ``EventPipeline/shutdown(timeout:)`` stops it.
    /// - Parameter timeout: The time in which events are sent.
    /// - Returns: The numbers of the tracker's events by outcome.
    @discardableResult
    public func shutdown(timeout: Duration = .seconds(5)) async -> TrackerCounters {
        guard pipeline.forkGuard.isOwnProcess else { return counters }
        pause()
        let report = await flush(timeout: timeout)
        remove()
        return report
    }
}

extension Tracker {
    /// The counters once everything tracked so far is in the store and earlier runs' events are counted.
    package func settledCounters() async -> TrackerCounters {
        await pipeline.drain()
        await pipeline.openPartitions()
        return counters
    }
}

extension RuntimeControl<EmitterConfiguration> {
    /// Stops sending until `resume()`; events are stored. A refresh does not resume.
    /// - Returns: The numbers of the tracker's events so far by outcome.
    @discardableResult
    public func pause() -> TrackerCounters {
        setPaused(true)
    }

    /// Resumes sending at once.
    /// - Returns: The numbers of the tracker's events so far by outcome.
    @discardableResult
    public func resume() -> TrackerCounters {
        setPaused(false)
    }

    /// Whether the emitter is paused.
    public var isPaused: Bool { tracker.namespaceEmitter.isPaused }

    /// Sends the stored events; see ``Tracker/flush(timeout:)``.
    /// - Parameter timeout: The longest wait for an empty queue.
    /// - Returns: The numbers of the tracker's events by outcome.
    @discardableResult
    public func flush(timeout: Duration = .seconds(5)) async -> TrackerCounters {
        await tracker.flush(timeout: timeout)
    }

    private func setPaused(_ isPaused: Bool) -> TrackerCounters {
        // The pipeline of a forked child belongs to its parent.
        if tracker.pipeline.forkGuard.isOwnProcess {
            tracker.namespaceEmitter.setPaused(tracker, isPaused)
            tracker.pipeline.emitterChanged(tracker.namespaceEmitter)
        }
        return tracker.counters
    }
}

extension RuntimeControl<SessionConfiguration> {
    /// Pauses the session: it does not time out until `resume()`, and the time until then does not count. (Snowplow's
    /// mobile trackers begin a new session.)
    public func pause() {
        let uptime = tracker.pipeline.time.uptime
        _ = tracker.access { $0.session.pause(at: uptime) }
    }

    /// Resumes the session, which can time out again.
    public func resume() {
        let uptime = tracker.pipeline.time.uptime
        _ = tracker.access { $0.session.resume(at: uptime) }
    }

    /// Whether the session is paused.
    public var isPaused: Bool { tracker.access { $0.session.isPaused } ?? false }

    /// The id of the current session; nil before the first event and if ``TrackerConfiguration/sessionContext`` is off.
    public var id: String? { tracker.access { $0.settings.hasSession ? $0.session.id : nil } ?? nil }

    /// Calls a closure for each session that begins, on the thread whose event begins it and outside all locks.
    /// - Parameter action: The closure.
    /// - Returns: The subscription, which can be cancelled; otherwise it lasts as long as the tracker.
    @discardableResult
    public func onStart(_ action: @escaping @Sendable (SessionStart) -> Void) -> Subscription {
        let subscription = Subscription { [weak tracker] subscription in
            tracker?.changeExtensions { $0.sessionHandlers.remove(subscription) }
        }
        tracker.changeExtensions { $0.sessionHandlers.add(subscription, action) }
        return subscription
    }

    /// Begins a new session with the next event.
    public func startNew() {
        _ = tracker.access { $0.session.end() }
    }

    /// Applies ``SessionConfiguration/backgroundTimeout`` to the session.
    public func enterBackground() {
        _ = tracker.access { $0.session.isInBackground = true }
    }

    /// Applies ``SessionConfiguration/foregroundTimeout`` to the session again.
    public func enterForeground() {
        _ = tracker.access { $0.session.isInBackground = false }
    }
}
