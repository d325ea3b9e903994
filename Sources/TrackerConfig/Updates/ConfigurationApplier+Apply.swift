import TrackerFeatures

extension ConfigurationApplier {
    /// Applies a configuration while the startup watchdog observes it.
    package func apply(
        _ configuration: ActiveConfiguration, removing namespaces: Set<ExactText>, isWatched: Bool,
        after before: [ExactText: CanaryMonitor.Observation]?
    ) throws(ConfigurationError) -> Lifecycle.ApplyResult {
        let history = parts.history
        let ended = isWatched ? history.watch?.end(.idle) : nil
        // Applying it may crash the process.
        if isWatched, let version = configuration.document?.version { history.willApply(version) }
        do throws(ConfigurationError) {
            let trackers = configuration.document?.rollout == nil ? [:] : parts.registry.observations
            var result = try parts.apply(configuration, removing: namespaces, isWatched: isWatched)
            // If it replaces a canary, compare with the trackers before that canary.
            result.before =
                before.map { before in
                    before.reduce(into: [:]) { $0[$1.key] = $1.value.after(requests: trackers[$1.key]?.history.total) }
                } ?? trackers
            return result
        } catch {
            if isWatched { history.watch?.end(.idle) }
            if let ended { history.willApply(ended) }
            throw error
        }
    }
}

extension ConfigurationApplier.Parts {
    /// Applies a configuration to the service, completely or not at all. All changes of a configuration are made here.
    ///
    /// The listeners of features are held until the update is delivered.
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - namespaces: The trackers to remove if the configuration does not contain them.
    ///   - isWatched: Whether it is a new configuration rather than a rollback.
    /// - Returns: The result.
    /// - Throws: An error if a tracker cannot work; then nothing is changed.
    fileprivate func apply(
        _ configuration: ActiveConfiguration, removing namespaces: Set<ExactText>, isWatched: Bool
    ) throws(ConfigurationError) -> ConfigurationLifecycle.ApplyResult {
        let earlier = registry.namespaces
        let part = configuration.document.map(FeatureStore.Remote.init)
        // Trackers before features: a caller that reads a new feature must track with the same document's settings.
        let applied = try registry.apply(
            configuration.document, features: features.document(part), removing: namespaces,
            preparing: experiments.attach)
        let warnings = features.adopt(part)
        // A rollback moves trackers back, which its own warning reports.
        let level: LogLevel = isWatched ? .warning : .info
        for move in applied.moves { log.about(configuration.version).log(level, "\(move)") }
        return ConfigurationLifecycle.ApplyResult(
            namespaces: applied.namespaces,
            addedNamespaces: Set(applied.namespaces.map(ExactText.init)).subtracting(earlier),
            warnings: collectors.warnings(of: configuration.document) + applied.warnings + warnings)
    }
}

extension TrackerRegistry {
    /// The last published state of the trackers.
    var observations: [ExactText: CanaryMonitor.Observation] {
        exactTrackers.mapValues { tracker in
            CanaryMonitor.Observation(
                tracker.lastStatus, at: tracker.effectiveSettings.endpoint.text, tracker.requestHistory)
        }
    }

    /// Whether a configuration has trackers.
    package func hasTrackers(with configuration: ActiveConfiguration?) -> Bool {
        configuration.map { !observations($0.document).isEmpty } ?? false
    }
}
