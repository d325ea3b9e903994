package import TrackerFeatures

extension ConfigurationHost: LifecycleHost {
    package var now: Lifecycle.Now {
        Lifecycle.Now(time: parts.time.wallTime, uptime: parts.time.uptime, random: parts.random)
    }

    package func fetch(_ validators: DocumentValidators?) {
        published.exchange(\.isFetching, true)
        fetchTask = Task.unbound { [updater] in await updater?.fetch(validators) }
    }

    package func openStream(_ number: Int) -> Bool {
        stream?.cancel()
        stream = nil
        guard !isStopped, let hints = parts.source.changes() else { return false }
        stream = Task.unbound { [weak updater] in
            var failure: FetchError?
            do {
                for try await hint in hints {
                    guard await updater?.run({ $0.hinted(hint, number, $1) }) != nil else { return }
                }
            } catch {
                let reason = "the stream of changes broke: " + "\(error)".excerpt
                failure = error as? FetchError ?? FetchError(.stream, reason: reason, cause: error)
            }
            await updater?.run { [failure] in $0.streamEnded(failure, number, $1) }
        }
        return true
    }

    package func start(_ timer: Lifecycle.Timer, after wait: Duration) {
        timers.removeValue(forKey: timer)?.cancel()
        guard !isStopped, timer != .startup || parts.versions.watch != nil else { return }
        // The version watched now; it may have changed when the window ends.
        let watched = parts.versions.watch?.watched
        timers[timer] = Task.unbound { [weak updater, time = parts.time] in
            while await time.sleepUnlessCancelled(for: wait), await updater?.elapsed(timer, watched) == true {}
        }
    }

    package func cancel(_ timer: Lifecycle.Timer) {
        timers.removeValue(forKey: timer)?.cancel()
    }

    package func cancelAll() {
        for task in timers.values { task.cancel() }
        fetchTask?.cancel()
        stream?.cancel()
    }

    package func cache(
        _ configuration: ActiveConfiguration, _ headers: [HTTPHeader], after previous: ActiveConfiguration?,
        unproven: Int?
    ) {
        parts.warnings.note(parts.documents.store(configuration, headers, after: previous, unproven: unproven))
    }

    package func recordReversion(of version: Int, _ reason: String) {
        parts.versions.watch?.end(.idle)
        parts.versions.reverted(version, reason: reason)
    }

    package func markStale(_ isStale: Bool) { parts.features.store.markStale(isStale) }

    package func log(_ level: LogLevel, _ text: String, about version: Int?) {
        parts.log.about(version).log(level, text)
    }

    package func queueUpdate(
        _ configuration: ActiveConfiguration, _ applied: AppliedConfiguration, _ warnings: [ConfigurationError]
    ) {
        let pending = parts.warnings.take()
        let found = parts.versions.takeWarnings() + warnings + applied.warnings
        let update = ConfigurationUpdate(
            state: configuration.state, version: configuration.version, namespaces: applied.namespaces,
            trackers: parts.registry.trackers, features: parts.features, meta: configuration.meta,
            warnings: pending.all + found + configuration.warnings)
        let lines = parts.log.about(configuration.version)
        // The event store logs its own warnings, and those of a restored document were logged before.
        let logged = parts.registry.storeWarnings + warnings
        let own = configuration.state == .reverted ? [] : configuration.warnings
        for warning in pending.unlogged + found + own where !logged.contains(warning) { lines.warning("\(warning)") }
        // The outcome of a fetch is logged separately.
        if configuration.state != .fetched { lines.info(configuration.sentence) }
        if configuration.state == .fetched { fetchedUpdate = update }
        deliveries.append { [self] in deliver(update) }
    }

    /// Delivers an update: to the callback, then to the listeners of features, which were held while the configuration
    /// was applied, then to the sequences.
    private func deliver(_ update: ConfigurationUpdate) {
        guard !isStopped else { return parts.features.store.listeners.release(delivers: false) }
        parts.onSuccess(update)
        parts.features.store.listeners.release()
        parts.broadcast.send(.update(update))
    }

    package func queueOutcome(_ outcome: ConfigurationOutcome, _ level: LogLevel) {
        parts.log.about(outcome.version).log(level, "\(outcome)")
        let end: FetchEnd = (outcome, fetchedUpdate)
        let answered = callers
        (fetchedUpdate, callers) = (nil, [])
        deliveries.append { [self] in
            published.withLock { $0.isFetching = $0.lifecycle.isFetching }
            // After its shutdown a setup calls no callbacks.
            if !isStopped {
                parts.onOutcome(outcome)
                parts.broadcast.send(.outcome(outcome))
            }
            for caller in answered { caller.resume(returning: end) }
        }
    }
}
