extension ConfigurationUpdater {
    /// Observes the trackers once.
    /// - Returns: Whether there is still a canary.
    @discardableResult
    func observeCanary() async -> Bool {
        // What is read below is published then.
        for tracker in parts.registry.exactTrackers.values { _ = await tracker.status }
        // Meanwhile another document may have been applied.
        guard !Task.isCancelled, lifecycle.canary != nil, let active = lifecycle.active else { return false }
        parts.history.refresh()
        let reversion = active.version.flatMap(parts.history.reversion)
        let trackers = parts.registry.observations
        run { $0.observed(trackers, reversion: reversion, $1) }
        return lifecycle.canary != nil
    }

    /// What the canary of a cached document, which an earlier process began, can be rolled back to; nil if it is none.
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
