extension ConfigurationUpdater.Parts {
    /// Applies a configuration to the service, all of it or nothing; everything that a configuration changes is changed here.
    ///
    /// A document of another URL than the one before replaces it whole: trackers that only that one had go. The listeners
    /// of features are held until the update was delivered.
    /// - Parameters:
    ///   - configuration: The configuration; nil for none at all.
    ///   - previous: What is in use before.
    ///   - obsolete: More trackers that go where the configuration does not name them.
    /// - Returns: What it came to.
    /// - Throws: An error if one tracker could not work; nothing is changed then.
    func apply(
        _ configuration: ActiveConfiguration?, after previous: ActiveConfiguration?,
        removing obsolete: Set<ExactText> = []
    ) throws(ConfigurationError) -> TrackerRegistry.ApplyResult {
        var obsolete = obsolete
        if let url = previous?.url, url != configuration?.url { obsolete.formUnion(registry.namespaces) }
        let part = configuration?.document.map(FeatureStore.Remote.init)
        // The trackers before the features: a caller that has read a new feature tracks with its document's settings.
        let applied = try registry.apply(
            configuration?.document, features: features.document(part), removing: obsolete,
            preparing: experiments.attach)
        // Another user's document may still have what this one does not.
        let isFetched = configuration?.state == .fetched && !remote.namesUser
        let warnings = features.adopt(part, isFetched: isFetched)
        for move in applied.moves { log.about(configuration?.version).warning("\(move)") }
        return TrackerRegistry.ApplyResult(
            namespaces: applied.namespaces, moves: applied.moves,
            warnings: collectors.warnings(of: configuration?.document) + applied.warnings + warnings)
    }

    /// Applies a configuration to the service while the startup watchdog observes it.
    func activate(
        _ configuration: ActiveConfiguration, after previous: ActiveConfiguration?, over target: ActiveConfiguration?,
        removing obsolete: Set<ExactText> = [], _ guards: inout VersionGuards
    ) throws(ConfigurationError) -> TrackerRegistry.ApplyResult {
        let earlier = guards.abandonWatch()
        guards.willApply(configuration)
        do throws(ConfigurationError) {
            let applied = try apply(configuration, after: previous, removing: obsolete)
            guards.applied(configuration, over: target)
            return applied
        } catch {
            guards.abandonWatch()
            for watch in earlier { watch.watchdog.begin(watch.version) }
            throw error
        }
    }

    /// Applies what a service starts with and publishes it, on the thread that makes the setup.
    /// - Parameters:
    ///   - configuration: The first of the chain.
    ///   - guards: The guards of its documents.
    ///   - warnings: What was odd until now.
    /// - Throws: An error if a tracker could not work.
    func begin(
        with configuration: ActiveConfiguration, _ guards: inout VersionGuards, _ warnings: [ConfigurationWarning]
    ) throws(ConfigurationError) {
        let applied = try activate(configuration, after: nil, over: nil, &guards)
        let documentWarnings = configuration.document?.warnings ?? []
        let update = ConfigurationUpdate(
            configuration, namespaces: applied.namespaces, trackers: registry.trackers, features: features,
            warnings: warnings + guards.takeWarnings() + documentWarnings + applied.warnings)
        logUpdate(configuration, update.warnings)
        fleet.record(.applied(configuration, previousVersion: nil))
        broadcast.send(.update(update))
        onSuccess(update)
        features.store.listeners.release()
    }

    /// Logs what a configuration's application led to.
    func logUpdate(_ configuration: ActiveConfiguration, _ warnings: [ConfigurationWarning]) {
        let lines = log.about(configuration.version)
        // The event store has logged its own.
        let logged = registry.storeWarnings
        for warning in warnings where !logged.contains(warning) { lines.warning("\(warning)") }
        // The end of a fetch has a line of its own.
        if configuration.state != .fetched { lines.info(configuration.sentence) }
    }
}
