extension ConfigurationUpdater {
    /// What is read without waiting for the actor.
    struct Standing: Sendable {
        var user: String?
        var watchdogs: [StartupWatchdog]
    }

    /// The watchdogs of this process.
    nonisolated var watchdogs: [StartupWatchdog] { standing.withLock { $0.watchdogs } }

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
        let next = try parts.scopes.scope(of: user)
        var contents = CacheContents()
        if !lifecycle.isCurrent(next.url) {
            switch parts.scopes.cache {
            case .synchronous(let cache): contents = cache.contents(of: next.urls)
            case .queued(let queue):
                contents = await queue.contents(of: next.urls)
                // A user without any configuration has no update that would log them.
                noteLate(contents.takeWarnings())
            }
        }
        return try change(to: next, contents)
    }

    /// Switches without a pause from the beginning to the end, so that nothing of two users can mix.
    private func change(
        to next: UserScope, _ contents: CacheContents
    ) throws(ConfigurationError) -> ConfigurationUpdate? {
        guard !isStopped else { return current }
        let source = try parts.scopes.source(of: next)
        var fallback: ActiveConfiguration?
        var (guards, warnings) = (self.guards, [ConfigurationWarning]())
        if !lifecycle.isCurrent(next.url) {
            guards = parts.scopes.guards(of: next, existing: guards)
            (fallback, warnings, _) = parts.scopes.fallback(of: next, in: contents, guards, late: late)
        }
        pendingSwitch = PendingSwitch(source: source, guards: guards, warnings: warnings)
        let effects = handle(.userChanged(next, fallback: fallback))
        pendingSwitch = nil
        if let refusal = effects.refusal { throw refusal }
        return effects.update ?? current
    }

    /// Makes the next user's part the current one.
    func enter(_ scope: UserScope) {
        if let pendingSwitch {
            (source, guards) = (pendingSwitch.source, pendingSwitch.guards)
            self.pendingSwitch = nil
            note(pendingSwitch.warnings)
        }
        standing.exchange(Standing(user: scope.user, watchdogs: guards.watchdogs))
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
