extension ConfigurationUpdater {
    /// Observes the trackers once.
    /// - Returns: Whether the canary continues.
    @discardableResult
    package func observeCanary() async -> Bool {
        // Reading the status publishes the state that is read below.
        for tracker in parts.registry.exactTrackers.values { _ = await tracker.status }
        // Another document may have been applied in the meantime.
        guard !Task.isCancelled, lifecycle.canary != nil, let active = lifecycle.active else { return false }
        parts.history.refresh()
        let reversion = active.version.flatMap(parts.history.reversion)
        let trackers = parts.registry.observations
        run { $0.observed(trackers, reversion: reversion, $1) }
        return lifecycle.canary != nil
    }

    /// The rollback target if the cached document is a canary from an earlier process; otherwise nil.
    var rollbackTarget: Lifecycle.RollbackTarget? {
        guard let active = lifecycle.active, active.state == .cached, active.document?.rollout != nil else {
            return nil
        }
        let fallback = parts.documents.fallback(excluding: active)
        parts.warnings.note(fallback.warnings)
        guard parts.registry.hasTrackers(with: fallback.configuration) else { return Lifecycle.RollbackTarget() }
        let before = parts.registry.observations(fallback.configuration?.document)
        return Lifecycle.RollbackTarget(
            configuration: fallback.configuration, before: before,
            addedNamespaces: parts.registry.namespaces.subtracting(before.keys))
    }
}
