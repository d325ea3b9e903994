import FoundationEssentials

extension ConfigurationUpdater {
    /// Executes an action.
    /// - Parameters:
    ///   - action: The action.
    ///   - effects: What the actions of the event came to.
    func execute(_ action: ConfigurationLifecycle.Action, _ effects: inout Effects) {
        switch action {
        case .fetch(let fetch): begin(fetch)
        case .review(let fetch, let fetched): review(fetch, fetched, &effects)
        case .apply(let application): process(apply(application), &effects)
        case .cache(let configuration, let headers, let previous, let unproven):
            cache(configuration, headers, after: previous, unproven: unproven)
        case .loadCache: loadCache()
        case .findRollbackTarget(let search): find(search, &effects)
        case .recordReversion(let configuration, let reason):
            guards.abandonWatch()
            if let document = configuration.document { guards[configuration].reverted(document, reason: reason) }
        case .startTimer(let timer, let duration): start(timer, duration)
        case .cancelTimer(let timer): timers.removeValue(forKey: timer)?.cancel()
        case .cancelAll:
            for task in Array(fetches.values) + Array(timers.values) { task.cancel() }
            formerTrackers?.cancel()
        case .abandonStartup: effects.abandoned = guards.abandonWatch()
        case .enter(let scope): enter(scope)
        case .refuseUser(let error):
            effects.refusal = error
            for watch in effects.abandoned { watch.watchdog.begin(watch.version) }
        case .publish(let configuration, let result, let warnings):
            let update = update(configuration, result, warnings)
            effects.update = update
            parts.logUpdate(configuration, newWarnings(update, of: configuration.document))
            deliver(update)
        case .withdraw:
            parts.broadcast.forgetLatest()
            parts.features.store.listeners.release()
        case .recordFleetEvent(let event): parts.fleet.record(event)
        case .report(let outcome, let url, let level):
            report(FetchEnd(outcome: outcome, update: effects.update), of: url, level)
        case .log(let level, let text): parts.log.log(level, text)
        }
    }

    private func apply(_ application: ConfigurationLifecycle.ApplyRequest) -> ConfigurationLifecycle.Event {
        let earlier = parts.registry.namespaces
        let obsolete: Set<ExactText> =
            switch application.removes {
            case .all: earlier
            case .some(let namespaces): namespaces
            }
        do throws(ConfigurationError) {
            let applied: TrackerRegistry.ApplyResult
            if application.isWatched, let configuration = application.configuration {
                var guards = pendingSwitch?.guards ?? self.guards
                defer { if pendingSwitch == nil { self.guards = guards } else { pendingSwitch?.guards = guards } }
                applied = try parts.activate(
                    configuration, after: application.previous, over: lifecycle.rollbackTarget, removing: obsolete,
                    &guards)
            } else {
                applied = try parts.apply(
                    application.configuration, after: application.previous, removing: obsolete)
            }
            tendFormerTrackers()
            let namespaces = Set(applied.namespaces.map(ExactText.init))
            return .applied(
                ConfigurationLifecycle.ApplicationResult(
                    namespaces: applied.namespaces, addedNamespaces: namespaces.subtracting(earlier),
                    warnings: applied.warnings))
        } catch {
            return .applicationFailed(error)
        }
    }

    /// Keeps a document for later starts of its user.
    /// - Parameters:
    ///   - configuration: The document.
    ///   - headers: The headers that came with it.
    ///   - previous: The active configuration before it.
    ///   - unproven: The version of a canary that had not passed yet.
    private func cache(
        _ configuration: ActiveConfiguration, _ headers: [HTTPHeader], after previous: ActiveConfiguration?,
        unproven: DocumentVersion?
    ) {
        guard let version = configuration.documentVersion, let url = configuration.url else { return }
        let entry = CacheEntry(
            url: url, version: version.number, document: configuration.text,
            validators: configuration.validators ?? DocumentValidators(),
            fetchTime: Date(milliseconds: configuration.time),
            headers: parts.scopes.verification.isWanted ? headers : [], versionEpoch: version.epoch)
        let versions = versions(of: url)
        let warnings = parts.scopes.store(entry, after: previous, unproven: unproven, versions, late: late)
        note(warnings)
    }

    private func update(
        _ configuration: ActiveConfiguration, _ result: ConfigurationLifecycle.ApplicationResult,
        _ warnings: [ConfigurationWarning]
    ) -> ConfigurationUpdate {
        defer { pendingWarnings = [] }
        return ConfigurationUpdate(
            configuration, namespaces: result.namespaces, trackers: parts.registry.trackers, features: parts.features,
            warnings: pendingWarnings + guards.takeWarnings() + warnings + (configuration.document?.warnings ?? [])
                + result.warnings)
    }

    /// Delivers an update: to the callback, then to the listeners of features, which were held since the configuration was
    /// applied, then to the sequences.
    private func deliver(_ update: ConfigurationUpdate) {
        guard !isStopped else { return parts.features.store.listeners.release(tells: false) }
        parts.onSuccess(update)
        parts.features.store.listeners.release()
        parts.broadcast.send(.update(update))
    }

    private func report(_ end: FetchEnd, of url: String, _ level: LogLevel) {
        parts.log.about(end.outcome.version).log(level, "\(end.outcome)")
        fetches[url] = nil
        showStatus()
        // A setup that was shut down calls no callback.
        if !isStopped {
            parts.onOutcome(end.outcome)
            parts.broadcast.send(.outcome(end.outcome))
        }
        for caller in callers.removeValue(forKey: url) ?? [] { caller.resume(returning: end) }
    }
}
