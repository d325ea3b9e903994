extension ConfigurationUpdater {
    /// Reads a user's cache at the start.
    func loadCache() {
        guard case .queued(let queue) = parts.scopes.cache else { return }
        let load = queue.load(lifecycle.scope.urls)
        Task.unbound { [weak self] in
            let contents = await load.value
            await self?.loaded(contents)
        }
    }

    private func loaded(_ contents: CacheContents) {
        // After a switch of users the contents are another user's.
        guard lifecycle.isLoadingCache, !isStopped else { return }
        let (configuration, warnings, _) = parts.scopes.fallback(
            of: lifecycle.scope, in: contents, guards, late: late)
        noteLate(warnings)
        handle(.cacheLoaded(configuration))
    }

    /// Sends what earlier processes left of namespaces that the cached document in use has ceased to name.
    func sendFormerEvents() {
        guard !isStopped, case .synchronous(let cache) = parts.scopes.cache, let active = lifecycle.active,
            let url = active.url, let previous = parts.scopes.document(before: active, in: cache.read(url).entries)
        else { return }
        parts.registry.sendFormer(of: previous, after: active.document)
        tendFormerTrackers()
    }

    func cacheTimedOut() {
        guard case .queued(let queue) = parts.scopes.cache else { return }
        noteLate([ConfigurationWarning(place: "cache", reason: queue.delay)])
        handle(.cacheTimedOut)
    }

    /// Waits until all changes of a user's cache are stored.
    nonisolated func flushCache(timeout: Duration) async {
        if case .queued(let queue) = parts.scopes.cache { await queue.flush(timeout: timeout) }
    }

    /// Keeps warnings for the next update, each once.
    func note(_ warnings: [ConfigurationWarning], _ level: LogLevel = .debug) {
        for warning in warnings where !pendingWarnings.contains(warning) {
            pendingWarnings.append(warning)
            parts.log.log(level, "\(warning)")
        }
    }

    /// Takes the warnings of work in the background.
    var late: @Sendable ([ConfigurationWarning]) async -> Void {
        { [weak self] warnings in await self?.noteLate(warnings) }
    }

    /// Keeps warnings of work in the background, and logs them at once, because the next update may be far away.
    func noteLate(_ warnings: [ConfigurationWarning]) {
        note(warnings, .warning)
    }
}
