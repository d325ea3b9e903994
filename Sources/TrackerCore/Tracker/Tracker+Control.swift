extension Tracker {
    /// Takes no events until `resume()`; those that come are counted as dropped. A refresh does not resume. Neither this
    /// nor a getter ever waits in a forked child.
    public func pause() {
        _ = access { $0.isPaused = true }
    }

    /// Takes events again.
    public func resume() {
        _ = access { $0.isPaused = false }
    }

    /// Whether the tracker takes no events.
    public var isPaused: Bool { access(\.isPaused) ?? false }

    /// Sends the stored events: at once, and after failures as the back-off says.
    /// - Parameter timeout: How long to wait for an empty queue.
    /// - Returns: What became of the tracker's events, when the queue is empty, at the timeout, or at once where the
    ///   emitter is paused.
    @discardableResult
    public func flush(timeout: Duration = .seconds(5)) async -> DeliveryReport {
        // The pipeline's thread does not exist in a forked child.
        if pipeline.forkGuard.isOwnProcess { await pipeline.flush(namespaceEmitter, timeout: timeout) }
        return DeliveryReport([counters])
    }

    /// Shuts the tracker down: it takes no more events and sends what it can in the time. What remains stays in the store.
    ///
    /// The pipeline goes on for other trackers; ``EventPipeline/shutdown(timeout:)`` stops it.
    /// - Parameter timeout: The time to send in.
    /// - Returns: What became of the tracker's events.
    @discardableResult
    public func shutdown(timeout: Duration = .seconds(5)) async -> DeliveryReport {
        guard pipeline.forkGuard.isOwnProcess else { return DeliveryReport([counters]) }
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
        await pipeline.openEmitters()
        return counters
    }
}

extension RuntimeControl<EmitterConfiguration> {
    /// Sends nothing until `resume()`; events are stored. A refresh does not resume.
    /// - Returns: What became of the tracker's events so far.
    @discardableResult
    public func pause() -> DeliveryReport {
        setPaused(true)
    }

    /// Sends again, at once.
    /// - Returns: What became of the tracker's events so far.
    @discardableResult
    public func resume() -> DeliveryReport {
        setPaused(false)
    }

    /// Whether nothing is sent.
    public var isPaused: Bool { tracker.namespaceEmitter.isPaused }

    /// Sends the stored events; see ``Tracker/flush(timeout:)``.
    /// - Parameter timeout: How long to wait for an empty queue.
    /// - Returns: What became of the tracker's events.
    @discardableResult
    public func flush(timeout: Duration = .seconds(5)) async -> DeliveryReport {
        await tracker.flush(timeout: timeout)
    }

    private func setPaused(_ isPaused: Bool) -> DeliveryReport {
        // The pipeline of a forked child belongs to its parent.
        if tracker.pipeline.forkGuard.isOwnProcess {
            tracker.namespaceEmitter.setPaused(tracker, isPaused)
            tracker.pipeline.emitterChanged(tracker.namespaceEmitter)
        }
        return DeliveryReport([tracker.counters])
    }
}

extension RuntimeControl<SessionConfiguration> {
    /// Lets the session stand still: it does not end by time until `resume()`, and the time until then does not count.
    /// (Snowplow's mobile trackers begin a new session.)
    public func pause() {
        let uptime = tracker.pipeline.time.uptime
        _ = tracker.access { $0.session.pause(at: uptime) }
    }

    /// Lets the session end by time again.
    public func resume() {
        let uptime = tracker.pipeline.time.uptime
        _ = tracker.access { $0.session.resume(at: uptime) }
    }

    /// Whether the session stands still.
    public var isPaused: Bool { tracker.access { $0.session.isPaused } ?? false }

    /// The id of the current session; nil before the first event and where
    /// ``TrackerConfiguration/sessionContext`` is off.
    public var id: String? { tracker.access { $0.settings.hasSession ? $0.session.id : nil } ?? nil }

    /// Calls a closure for each session that begins, on the thread whose event begins it and outside all locks.
    /// - Parameter action: The closure, in the place of an earlier one; nil for none.
    public func onStart(_ action: (@Sendable (SessionStart) -> Void)?) {
        tracker.changeExtensions { $0.onSessionStart = action }
    }

    /// Lets the next event begin a new session.
    public func startNew() {
        _ = tracker.access { $0.session.end() }
    }

    /// Lets ``SessionConfiguration/backgroundTimeout`` count.
    public func enterBackground() {
        _ = tracker.access { $0.session.isInBackground = true }
    }

    /// Lets ``SessionConfiguration/foregroundTimeout`` count again.
    public func enterForeground() {
        _ = tracker.access { $0.session.isInBackground = false }
    }
}
