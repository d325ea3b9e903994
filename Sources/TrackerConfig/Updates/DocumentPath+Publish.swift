import FoundationEssentials

extension DocumentPath {
    /// Keeps a document for later starts of its user.
    /// - Parameters:
    ///   - configuration: The document.
    ///   - headers: The headers that came with it.
    ///   - previous: The active configuration before it.
    ///   - unproven: The version of a canary that had not passed yet.
    func cache(
        _ configuration: ActiveConfiguration, _ headers: [HTTPHeader], after previous: ActiveConfiguration?,
        unproven: Int?
    ) {
        guard let version = configuration.version, let url = configuration.url else { return }
        let entry = CacheEntry(
            url: url, version: version, document: configuration.text,
            validators: configuration.validators ?? DocumentValidators(),
            fetchTime: Date(milliseconds: configuration.time),
            headers: parts.repository.verification.isWanted ? headers : [])
        parts.warnings.note(
            parts.repository.store(entry, after: previous, unproven: unproven, history(of: url)))
    }

    /// Publishes a configuration that was applied.
    func publish(
        _ configuration: ActiveConfiguration, _ result: Lifecycle.ApplyResult, _ warnings: [ConfigurationError]
    ) -> ConfigurationUpdate {
        let document = configuration.document
        let update = ConfigurationUpdate(
            configuration, namespaces: result.namespaces, trackers: parts.registry.trackers, features: parts.features,
            warnings: parts.warnings.take() + lifecycle.documents.takeWarnings() + warnings
                + (document?.warnings ?? []) + result.warnings)
        log(update, of: configuration, without: warnings)
        deliver(update)
        return update
    }

    /// Delivers an update: to the callback, then to the listeners of features, which were held since the configuration was
    /// applied, then to the sequences.
    private func deliver(_ update: ConfigurationUpdate) {
        guard !isStopped else { return parts.features.store.listeners.release(tells: false) }
        parts.onSuccess(update)
        parts.features.store.listeners.release()
        parts.broadcast.send(.update(update))
    }

    func report(_ outcome: ConfigurationOutcome, of url: String?, _ level: LogLevel) {
        parts.log.about(outcome.version).log(level, "\(outcome)")
        if let url { ended(url) }
        // A setup that was shut down calls no callback.
        guard !isStopped else { return }
        parts.onOutcome(outcome)
        parts.broadcast.send(.outcome(outcome))
    }
}

extension DocumentPath {
    /// Logs what a configuration's application led to.
    /// - Parameters:
    ///   - update: The update.
    ///   - configuration: The configuration.
    ///   - known: The warnings that have a line of their own.
    private func log(
        _ update: ConfigurationUpdate, of configuration: ActiveConfiguration, without known: [ConfigurationError]
    ) {
        let lines = parts.log.about(configuration.version)
        // The event store has logged its own.
        let logged = parts.registry.storeWarnings + known
        for warning in parts.warnings.unlogged(update.warnings, of: configuration.document)
        where !logged.contains(warning) {
            lines.warning("\(warning)")
        }
        // The end of a fetch has a line of its own.
        if configuration.state != .fetched { lines.info(configuration.sentence) }
    }
}
