extension ConfigurationUpdater {
    /// Reads a user's cache at the start.
    func loadCache() {
        guard case .queued(let queue) = parts.repository.cache else { return }
        let load = queue.load(lifecycle.scope.urls)
        Task.unbound { [weak self] in
            let contents = await load.value
            await self?.loaded(contents)
        }
    }

    private func loaded(_ contents: CacheContents) {
        // After a switch of users the contents are another user's.
        guard lifecycle.isLoadingCache, !isStopped else { return }
        let (configuration, warnings, _) = parts.repository.fallback(of: lifecycle.documents, in: contents)
        parts.warnings.note(warnings, .warning)
        handle(.cacheLoaded(configuration))
    }

    /// Sends what earlier processes left of namespaces that the cached document in use has ceased to name.
    func sendFormerEvents() {
        guard !isStopped, case .synchronous(let cache) = parts.repository.cache, let active = lifecycle.active,
            let url = active.url, let previous = parts.repository.document(before: active, in: cache.read(url).entries)
        else { return }
        parts.registry.sendFormer(of: previous, after: active.document)
        tendFormerTrackers()
    }

    func cacheTimedOut() {
        guard case .queued(let queue) = parts.repository.cache else { return }
        parts.warnings.note([ConfigurationError(.warning, place: "cache", reason: queue.delay)], .warning)
        handle(.cacheTimedOut)
    }

    /// Waits until all changes of a user's cache are stored.
    nonisolated func flushCache(timeout: Duration) async {
        if case .queued(let queue) = parts.repository.cache { await queue.flush(timeout: timeout) }
    }
}
