import TrackerFeatures

extension ConfigurationHost {
    /// Applies a configuration, completely or not at all, while the startup watchdog observes it. All changes of a
    /// configuration are made here.
    ///
    /// The listeners of features are held until the update is delivered.
    package func apply(
        _ configuration: ActiveConfiguration, removing namespaces: Set<ExactText>, isWatched: Bool,
        after before: [ExactText: CanaryMonitor.Observation]?
    ) throws(ConfigurationError) -> AppliedConfiguration {
        let (document, versions) = (configuration.document, parts.versions)
        let ended = isWatched ? versions.watch?.end(.idle) : nil
        // Applying it may crash the process.
        if isWatched, let version = document?.version { versions.willApply(version) }
        let trackers = document?.rollout == nil ? [:] : parts.registry.observations
        let part = document.map(FeatureStore.Remote.init)
        var applied: AppliedConfiguration
        do throws(ConfigurationError) {
            // Trackers before features: a caller that reads a new feature must track with the same document's settings.
            applied = try parts.registry.apply(
                document, experiments: parts.features.experiments(of: part), removing: namespaces,
                preparing: parts.features.experiments.attach)
        } catch {
            if isWatched { versions.watch?.end(.idle) }
            if let ended { versions.willApply(ended) }
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
