extension ConfigurationUpdater {
    /// The trackers before a canary is applied; while another one is observed, as they were before it.
    func observationsBeforeCanary() async -> [ExactText: CanaryMonitor.Observation] {
        while true {
            let switches = lifecycle.switches
            let now = await observations()
            // The trackers of one user, not of two.
            guard switches == lifecycle.switches else { continue }
            guard let canary = lifecycle.canary else { return now }
            return canary.monitor.before.reduce(into: [:]) { result, entry in
                let requests = now[entry.key]?.health.requests.total
                result[entry.key] = CanaryMonitor.Observation(
                    collectors: entry.value.collectors, health: entry.value.health, requests: requests)
            }
        }
    }

    private func observations() async -> [ExactText: CanaryMonitor.Observation] {
        var observations: [ExactText: CanaryMonitor.Observation] = [:]
        for (namespace, tracker) in parts.registry.exactTrackers {
            observations[namespace] = CanaryMonitor.Observation(
                collectors: tracker.collectors, health: await tracker.health)
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
        guards[active].refresh()
        let reversion = active.document.flatMap { guards[active].reversion(of: $0) }
        handle(.canaryObserved(trackers, reversion: reversion))
        return lifecycle.canary != nil
    }

    /// Finds what a canary that an earlier process began can be rolled back to.
    func find(_ search: Lifecycle.RollbackSearch, _ effects: inout Effects) {
        let urls = lifecycle.scope.urls
        switch parts.scopes.cache {
        case .synchronous(let cache):
            process(.rollbackTargetFound(rollbackTarget(of: search, in: cache.contents(of: urls)), search), &effects)
        case .queued(let queue):
            let load = queue.load(urls)
            Task.unbound { [weak self] in
                let contents = await load.value
                await self?.found(search, contents)
            }
        }
    }

    private func found(_ search: Lifecycle.RollbackSearch, _ contents: CacheContents) {
        // The contents may be another user's by now; the lifecycle repeats the search if it still matters.
        let isCurrent = search.switches == lifecycle.switches
        let target = isCurrent ? rollbackTarget(of: search, in: contents) : Lifecycle.RollbackTarget()
        handle(.rollbackTargetFound(target, search))
    }

    private func rollbackTarget(
        of search: Lifecycle.RollbackSearch, in contents: CacheContents
    ) -> Lifecycle.RollbackTarget {
        let (target, warnings, _) = parts.scopes.fallback(
            of: lifecycle.scope, in: contents, excluding: search.canary, guards, late: late)
        note(warnings)
        guard hasTrackers(target) else { return Lifecycle.RollbackTarget() }
        let collectors = parts.registry.collectors(target?.document)
        let quiet = TrackerHealth(counters: TrackerCounters())
        return Lifecycle.RollbackTarget(
            configuration: target,
            before: collectors.mapValues { CanaryMonitor.Observation(collectors: $0, health: quiet) },
            addedNamespaces: parts.registry.namespaces.subtracting(collectors.keys))
    }

    /// Whether a configuration has trackers.
    func hasTrackers(_ configuration: ActiveConfiguration?) -> Bool {
        configuration.map { !parts.registry.collectors($0.document).isEmpty } ?? false
    }
}
