extension ConfigurationUpdater {
    /// Observes the trackers once.
    /// - Returns: Whether there is still a canary.
    @discardableResult
    func observeCanary() async -> Bool {
        // What is read below is published then.
        for tracker in parts.registry.exactTrackers.values { _ = await tracker.status }
        // Meanwhile another document may have been applied.
        guard !Task.isCancelled, lifecycle.canary != nil, let active = lifecycle.active else { return false }
        let history = lifecycle.documents[active]
        history.refresh()
        let reversion = active.version.flatMap(history.reversion)
        handle(.canaryObserved(parts.registry.observations, reversion: reversion))
        return lifecycle.canary != nil
    }

    /// Finds what a canary that an earlier process began can be rolled back to.
    /// - Returns: The answer, if the cache has it at once.
    func find(_ search: Lifecycle.RollbackSearch) -> Lifecycle.Event? {
        let urls = lifecycle.scope.urls
        switch parts.repository.cache {
        case .synchronous(let cache):
            return .rollbackTargetFound(rollbackTarget(of: search, in: cache.contents(of: urls)), search)
        case .queued(let queue):
            let load = queue.load(urls)
            Task.unbound { [weak self] in
                let contents = await load.value
                await self?.found(search, contents)
            }
            return nil
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
        let (target, warnings, _) = parts.repository.fallback(
            of: lifecycle.documents, in: contents, excluding: search.canary)
        parts.warnings.note(warnings)
        guard parts.registry.hasTrackers(with: target) else { return Lifecycle.RollbackTarget() }
        let before = parts.registry.observations(target?.document)
        return Lifecycle.RollbackTarget(
            configuration: target, before: before,
            addedNamespaces: parts.registry.namespaces.subtracting(before.keys))
    }
}
