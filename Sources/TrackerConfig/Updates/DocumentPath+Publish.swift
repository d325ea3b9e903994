extension DocumentPath {
    /// Publishes a configuration that was applied.
    func publish(
        _ configuration: ActiveConfiguration, _ result: Lifecycle.ApplyResult, _ warnings: [ConfigurationError]
    ) -> ConfigurationUpdate {
        let pending = parts.warnings.take()
        let found = parts.history.takeWarnings() + warnings + result.warnings
        let update = ConfigurationUpdate(
            configuration, namespaces: result.namespaces, trackers: parts.registry.trackers, features: parts.features,
            warnings: pending.all + found + configuration.warnings)
        let lines = parts.log.about(configuration.version)
        // The event store has logged its own, and those of a document that is in use again were logged before.
        let logged = parts.registry.storeWarnings + warnings
        let own = configuration.state == .reverted ? [] : configuration.warnings
        for warning in pending.unlogged + found + own where !logged.contains(warning) { lines.warning("\(warning)") }
        // The end of a fetch has a line of its own.
        if configuration.state != .fetched { lines.info(configuration.sentence) }
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

    func report(_ outcome: ConfigurationOutcome, _ level: LogLevel) {
        parts.log.about(outcome.version).log(level, "\(outcome)")
        // A setup that was shut down calls no callback.
        guard !isStopped else { return }
        parts.onOutcome(outcome)
        parts.broadcast.send(.outcome(outcome))
    }
}
