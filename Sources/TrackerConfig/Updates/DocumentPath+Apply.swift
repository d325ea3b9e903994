extension DocumentPath {
    /// Applies a configuration while the startup watchdog observes it.
    func apply(_ request: Lifecycle.ApplyRequest) -> Lifecycle.Event {
        let (configuration, history) = (request.configuration, parts.history)
        let isWatched = request.watch == .begins
        let ended = isWatched ? history.watch?.end(.idle) : nil
        // It may be the end of the process.
        if isWatched, let version = configuration.document?.version { history.willApply(version) }
        do throws(ConfigurationError) {
            let before = isWatched && configuration.document?.rollout != nil ? trackersBeforeCanary : [:]
            var result = try parts.apply(request)
            result.before = before
            return .applied(result)
        } catch {
            if isWatched { history.watch?.end(.idle) }
            if let ended { history.willApply(ended) }
            return .applicationFailed(error)
        }
    }

    /// The trackers as they are; while a canary is observed, as they were before it.
    private var trackersBeforeCanary: [ExactText: CanaryMonitor.Observation] {
        let now = parts.registry.observations
        guard let canary = lifecycle.canary else { return now }
        return canary.monitor.before.reduce(into: [:]) { result, entry in
            result[entry.key] = entry.value.after(requests: now[entry.key]?.history.total)
        }
    }
}

extension DocumentPath.Parts {
    /// Applies a configuration to the service, all of it or nothing; everything that a configuration changes is changed here.
    ///
    /// The listeners of features are held until the update was delivered.
    /// - Parameter request: The configuration.
    /// - Returns: The result.
    /// - Throws: An error if one tracker could not work; nothing is changed then.
    fileprivate func apply(
        _ request: ConfigurationLifecycle.ApplyRequest
    ) throws(ConfigurationError) -> ConfigurationLifecycle.ApplyResult {
        let configuration = request.configuration
        let earlier = registry.namespaces
        let part = configuration.document.map(FeatureStore.Remote.init)
        // The trackers before the features: a caller that has read a new feature tracks with its document's settings.
        let applied = try registry.apply(
            configuration.document, features: features.document(part), removing: request.removes,
            preparing: experiments.attach)
        let warnings = features.adopt(part)
        // A rollback moves home, which its own warning says.
        let level: LogLevel = request.watch == .continues ? .info : .warning
        for move in applied.moves { log.about(configuration.version).log(level, "\(move)") }
        return ConfigurationLifecycle.ApplyResult(
            namespaces: applied.namespaces,
            addedNamespaces: Set(applied.namespaces.map(ExactText.init)).subtracting(earlier),
            warnings: collectors.warnings(of: configuration.document) + applied.warnings + warnings)
    }
}

extension TrackerRegistry {
    /// The trackers as they were last published.
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
