extension ConfigurationUpdater {
    /// The trackers before a canary is applied; while another one is observed, as they were before it. None for other
    /// documents.
    func observations(before document: Document) async -> [ExactText: CanaryMonitor.Observation] {
        guard document.rollout != nil, lifecycle.isNewer(document) else { return [:] }
        let now = await observations()
        guard let canary = lifecycle.canary else { return now }
        return canary.monitor.before.reduce(into: [:]) { result, entry in
            result[entry.key] = entry.value.after(requests: now[entry.key]?.history.total)
        }
    }

    private func observations() async -> [ExactText: CanaryMonitor.Observation] {
        var observations: [ExactText: CanaryMonitor.Observation] = [:]
        for (namespace, tracker) in parts.registry.exactTrackers {
            observations[namespace] = CanaryMonitor.Observation(
                await tracker.status, at: tracker.effectiveSettings.endpoint.text, tracker.requestHistory)
        }
        return observations
    }

    /// Observes the trackers once.
    /// - Returns: Whether there is still a canary.
    @discardableResult
    func observeCanary() async -> Bool {
        let trackers = await observations()
        // Meanwhile another document may have been applied.
        guard !Task.isCancelled, lifecycle.canary != nil, let active = lifecycle.active else { return false }
        parts.history.refresh()
        let reversion = active.document.flatMap { parts.history.reversion(of: $0) }
        handle(.canaryObserved(trackers, reversion: reversion))
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
