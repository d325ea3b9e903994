extension ConfigurationUpdater {
    /// Observes the trackers once.
    /// - Returns: Whether the canary continues.
    @discardableResult
    package func observeCanary() async -> Bool {
        // Reading the status publishes the state that is read below.
        for tracker in parts.registry.exactTrackers.values { _ = await tracker.status }
        // Another document may have been applied in the meantime.
        guard !Task.isCancelled, lifecycle.canary != nil, let active = lifecycle.active else { return false }
        parts.versions.refresh()
        let reversion = active.version.flatMap(parts.versions.reversion)
        let trackers = parts.registry.observations
        run { $0.observed(trackers, reversion: reversion, $1) }
        return lifecycle.canary != nil
    }
}

extension ConfigurationLifecycle.EarlierCanary {
    /// Creates the canary of an earlier process; nil if the configuration in use is none.
    /// - Parameters:
    ///   - active: The configuration in use at the start.
    ///   - registry: The trackers.
    ///   - fallback: Returns the configuration that would be in use without another one.
    package init?(
        _ active: ActiveConfiguration?, _ registry: TrackerRegistry,
        fallback: (ActiveConfiguration) -> ActiveConfiguration?
    ) {
        guard let active, active.state == .cached, active.document?.rollout != nil else { return nil }
        self.init()
        guard let target = fallback(active), registry.hasTrackers(with: target) else { return }
        (rollbackTarget, before) = (target, registry.observations(target.document))
        addedNamespaces = registry.namespaces.subtracting(before.keys)
    }
}
