extension ConfigurationUpdater {
    /// Switches to another user: to their cached document, else the one for all users, else the default.
    ///
    /// Switches follow each other in the order of their calls, so that the last call decides.
    /// - Parameter user: The user; nil and empty are no user.
    /// - Returns: The active configuration, nil if there is none.
    /// - Throws: If the user cannot stand in the URL, or a tracker could not work; the user stays then.
    func switchUser(to user: String?) async throws(ConfigurationError) -> ConfigurationUpdate? {
        let earlier = lastSwitch
        let change = Task.unbound { () -> Result<ConfigurationUpdate?, ConfigurationError> in
            await earlier?.value
            do throws(ConfigurationError) {
                return .success(try await changeUser(to: user))
            } catch {
                return .failure(error)
            }
        }
        lastSwitch = Task.unbound { _ = await change.value }
        return try await change.value.get()
    }

    private func changeUser(to user: String?) async throws(ConfigurationError) -> ConfigurationUpdate? {
        guard !isStopped, !lifecycle.scope.isOf(user) else { return current }
        let next = try parts.repository.scope(of: user)
        var contents = CacheContents()
        if !lifecycle.isCurrent(next.url) {
            switch parts.repository.cache {
            case .synchronous(let cache): contents = cache.contents(of: next.urls)
            case .queued(let queue):
                contents = await queue.contents(of: next.urls)
                // A user without any configuration has no update that would log them.
                parts.warnings.note(contents.takeWarnings(), .warning)
            }
        }
        return try change(to: next, contents)
    }

    /// Switches without a pause from the beginning to the end, so that nothing of two users can mix.
    private func change(
        to next: UserScope, _ contents: CacheContents
    ) throws(ConfigurationError) -> ConfigurationUpdate? {
        guard !isStopped else { return current }
        let documents = try parts.repository.documents(of: next, existing: lifecycle.documents)
        var pending = PendingSwitch(to: documents, fallback: nil)
        if !lifecycle.isCurrent(next.url) {
            let (fallback, warnings, _) = parts.repository.fallback(of: documents, in: contents)
            pending = PendingSwitch(to: documents, fallback: fallback, warnings: warnings)
        }
        let results = handle(.userChanged(pending))
        if let refusal = results.refusal { throw refusal }
        return results.update ?? current
    }

    /// The active configuration, as an update.
    private var current: ConfigurationUpdate? {
        lifecycle.active.map { active in
            ConfigurationUpdate(
                active, namespaces: parts.registry.namespaces(of: active.document), trackers: parts.registry.trackers,
                features: parts.features, warnings: active.document?.warnings ?? [])
        }
    }
}
