extension DocumentPath {
    /// Applies a configuration while the startup watchdog observes it.
    func apply(_ request: Lifecycle.ApplyRequest) -> Lifecycle.Event {
        let (configuration, history) = (request.configuration, parts.history)
        let isWatched = request.watch == .begins
        let ended = isWatched ? history.watch?.abandon() : nil
        // It may be the end of the process.
        if isWatched, let version = configuration.document?.documentVersion { history.willApply(version) }
        do throws(ConfigurationError) {
            let result = try parts.apply(request)
            if isWatched { history.applied(configuration, over: request.rollbackTarget) }
            return .applied(result)
        } catch {
            if isWatched { history.watch?.abandon() }
            if let ended { history.willApply(ended) }
            return .applicationFailed(error)
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
        for move in applied.moves { log.about(configuration.version).warning("\(move)") }
        return ConfigurationLifecycle.ApplyResult(
            namespaces: applied.namespaces,
            addedNamespaces: Set(applied.namespaces.map(ExactText.init)).subtracting(earlier),
            warnings: collectors.warnings(of: configuration.document) + applied.warnings + warnings)
    }
}

extension TrackerRegistry {
    /// Whether a configuration has trackers.
    package func hasTrackers(with configuration: ActiveConfiguration?) -> Bool {
        configuration.map { !observations($0.document).isEmpty } ?? false
    }
}
