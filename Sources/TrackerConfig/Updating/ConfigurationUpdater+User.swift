extension ConfigurationUpdater {
    /// What is asked for without waiting for the actor.
    struct Standing: Sendable {
        var user: String?
        var watchdogs: [StartupWatchdog]
    }

    /// Goes over to another user: to their cached document, else the one for all users, else the default.
    ///
    /// Without a pause from its beginning to its end, so that nothing of two users can mix.
    /// - Parameter user: The user; nil and empty are nobody.
    /// - Returns: What is in use now, nil for nothing.
    /// - Throws: Where the user cannot stand in the URL, or a tracker could not work; the user stays then.
    func switchUser(to user: String?) throws(ConfigurationError) -> ConfigurationUpdate? {
        guard !isStopped, !scope.isOf(user) else { return current }
        let next = try parts.scopes.scope(of: user)
        guard !isCurrent(next) else {
            // One document for all users.
            enter(next, guards)
            return current
        }
        var guards = parts.scopes.guards(of: next, existing: self.guards)
        let (configuration, warnings) = next.chain.highest(guards)
        let previous = active
        // Nothing of the former user stays, also not what their document had ceased to name.
        let obsolete = parts.registry.namespaces
        if let configuration, configuration.isSame(as: previous) {
            // The one for all users, which stays: its watchdog and canary go on.
            let applied = try parts.apply(configuration, after: previous, removing: obsolete)
            enter(next, guards)
            return tell(configuration, applied, warnings, after: previous)
        }
        // The process lives on: nobody may count its end against what it leaves.
        self.guards.abandonWatch()
        guard let configuration else {
            _ = try parts.apply(nil, after: previous, removing: obsolete)
            endBake()
            active = nil
            enter(next, guards)
            followWatch()
            note(warnings)
            parts.broadcast.forgetLatest()
            parts.features.store.listeners.release()
            refreshIfWanted()
            return nil
        }
        let applied = try parts.activate(configuration, after: previous, removing: obsolete, &guards)
        endBake()
        active = configuration
        enter(next, guards)
        followWatch()
        resumeBake()
        return tell(configuration, applied, warnings, after: previous)
    }

    private func enter(_ next: UserScope, _ guards: VersionGuards) {
        (scope, self.guards) = (next, guards)
        switches += 1
        (held, lastOutcome) = (nil, nil)
        show()
        standing.exchange(Standing(user: next.user, watchdogs: guards.watchdogs))
    }

    private func tell(
        _ configuration: ActiveConfiguration, _ applied: TrackerRegistry.Application,
        _ warnings: [ConfigurationWarning], after previous: ActiveConfiguration?
    ) -> ConfigurationUpdate {
        active = configuration
        let update = update(configuration, applied, warnings: warnings + (configuration.document?.warnings ?? []))
        parts.fleet.applied(configuration, after: previous?.version)
        deliver(update)
        refreshIfWanted()
        return update
    }

    private func refreshIfWanted() {
        if parts.remote.refreshesOnUserChange, !isStopped { Task { await self.refresh() } }
    }

    /// What is in use, as an update would tell it.
    private var current: ConfigurationUpdate? {
        active.map { active in
            ConfigurationUpdate(
                active, namespaces: parts.registry.namespaces(of: active.document), trackers: parts.registry.trackers,
                features: parts.features, warnings: active.document?.warnings ?? [])
        }
    }
}
