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
    /// It runs without a pause from its beginning to its end, so that nothing of two users can mix.
    /// - Parameter user: The user; nil and empty are no user.
    /// - Returns: The active configuration, nil if there is none.
    /// - Throws: If the user cannot stand in the URL, or a tracker could not work; the user stays then.
    func switchUser(to user: String?) throws(ConfigurationError) -> ConfigurationUpdate? {
        guard !isStopped, !lifecycle.scope.isOf(user) else { return current }
        let next = try parts.scopes.scope(of: user)
        let source = try parts.scopes.source(of: next)
        var fallback: ActiveConfiguration?
        var (guards, warnings) = (self.guards, [ConfigurationWarning]())
        if !lifecycle.isCurrent(next.url) {
            guards = parts.scopes.guards(of: next, existing: guards)
            (fallback, warnings) = parts.scopes.chain(of: next).highest(guards)
        }
        entrance = Entrance(source: source, guards: guards, warnings: warnings)
        let effects = handle(.userChanged(next, fallback: fallback))
        entrance = nil
        if let refusal = effects.refusal { throw refusal }
        return effects.update ?? current
    }

    /// Makes the next user's part the current one.
    func enter(_ scope: UserScope) {
        if let entrance {
            (source, guards) = (entrance.source, entrance.guards)
            self.entrance = nil
            note(entrance.warnings)
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
