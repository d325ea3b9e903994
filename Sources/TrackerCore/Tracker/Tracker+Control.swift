extension Tracker {
    /// Stops tracking until `resume()`; further events are counted as dropped. A refresh does not resume.
    public func pause() {
        state.withLock { $0.isPaused = true }
    }

    /// Resumes tracking.
    public func resume() {
        state.withLock { $0.isPaused = false }
    }

    /// Whether the tracker is paused.
    public var isPaused: Bool { state.withLock(\.isPaused) }

    /// Sends the stored events: at once, and after failures with the back-off.
    /// - Parameter timeout: The maximum wait for an empty queue.
    /// - Returns: The numbers of the tracker's events by outcome, when the queue is empty, at the timeout, or at once
    ///   if the emitter is paused.
    @discardableResult
    public func flush(timeout: Duration = .seconds(5)) async -> TrackerCounters {
        await pipeline.flush(namespaceEmitter, timeout: timeout)
        return counters
    }

    /// Shuts the tracker down: it stops tracking and sends the stored events within the timeout. Events that remain
    /// stay in the store.
    ///
    /// The pipeline continues for other trackers; ``EventPipeline/shutdown(timeout:)`` stops it.
    /// - Parameter timeout: The time for sending events.
    /// - Returns: The numbers of the tracker's events by outcome.
    @discardableResult
    public func shutdown(timeout: Duration = .seconds(5)) async -> TrackerCounters {
        pause()
        let report = await flush(timeout: timeout)
        remove()
        return report
    }
}

extension Tracker {
    /// Returns the counters after all tracked events are in the store and earlier runs' events are counted.
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
    /// - Parameter timeout: The maximum wait for an empty queue.
    /// - Returns: The numbers of the tracker's events by outcome.
    @discardableResult
    public func flush(timeout: Duration = .seconds(5)) async -> TrackerCounters {
        await tracker.flush(timeout: timeout)
    }

    private func setPaused(_ isPaused: Bool) -> TrackerCounters {
        tracker.namespaceEmitter.change(tracker) { $0.isPaused = isPaused }
        tracker.pipeline.emitterChanged(tracker.namespaceEmitter)
        return tracker.counters
    }
}

extension RuntimeControl<SessionConfiguration> {
    /// Pauses the session: it does not time out until `resume()`, and the time until then does not count. (Snowplow's
    /// mobile trackers begin a new session.)
    public func pause() {
        let uptime = tracker.pipeline.time.uptime
        tracker.state.withLock { $0.session.pause(at: uptime) }
    }

    /// Resumes the session, which can time out again.
    public func resume() {
        let uptime = tracker.pipeline.time.uptime
        tracker.state.withLock { $0.session.resume(at: uptime) }
    }

    /// Whether the session is paused.
    public var isPaused: Bool { tracker.state.withLock { $0.session.isPaused } }

    /// The id of the current session; nil if ``TrackerConfiguration/sessionContext`` is off, and before the
    /// first event unless the session of an earlier process continues.
    public var id: String? { tracker.state.withLock { $0.settings.hasSession ? $0.session.record?.id : nil } }

    /// Begins a new session with the next event.
    public func startNew() {
        tracker.state.withLock { $0.session.end() }
    }
}
