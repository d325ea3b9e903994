import TrackerFeatures

extension ConfigurationApplier {
    /// Applies a configuration, completely or not at all, while the startup watchdog observes it. All changes of a
    /// configuration are made here.
    ///
    /// The listeners of features are held until the update is delivered.
    package func apply(
        _ configuration: ActiveConfiguration, removing namespaces: Set<ExactText>, isWatched: Bool,
        after before: [ExactText: CanaryMonitor.Observation]?
    ) throws(ConfigurationError) -> AppliedConfiguration {
        let (document, history) = (configuration.document, parts.history)
        let ended = isWatched ? history.watch?.end(.idle) : nil
        // Applying it may crash the process.
        if isWatched, let version = document?.version { history.willApply(version) }
        let trackers = document?.rollout == nil ? [:] : parts.registry.observations
        let part = document.map(FeatureStore.Remote.init)
        var applied: AppliedConfiguration
        do throws(ConfigurationError) {
            // Trackers before features: a caller that reads a new feature must track with the same document's settings.
            applied = try parts.registry.apply(
                document, features: parts.features.document(part), removing: namespaces,
                preparing: parts.features.experiments.attach)
        } catch {
            if isWatched { history.watch?.end(.idle) }
            if let ended { history.willApply(ended) }
            throw error
        }
        applied.warnings = parts.collectors.warnings(of: document) + applied.warnings
        applied.warnings += parts.features.replaceDocument(by: part)
        // A rollback moves trackers back, which its own warning reports.
        let level: LogLevel = isWatched ? .warning : .info
        for move in applied.moves { parts.log.about(configuration.version).log(level, move) }
        // If it replaces a canary, compare with the trackers before that canary.
        applied.before =
            before?.reduce(into: [:]) { $0[$1.key] = $1.value.after(requests: trackers[$1.key]?.history.total) }
            ?? trackers
        return applied
    }
}
