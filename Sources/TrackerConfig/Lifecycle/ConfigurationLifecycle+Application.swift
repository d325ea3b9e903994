extension ConfigurationLifecycle {
    /// Applies a fetched document.
    mutating func apply(_ reviewed: ReviewedDocument, _ host: some LifecycleHost) {
        let (document, now) = (reviewed.document, host.now)
        let configuration = ActiveConfiguration(
            .fetched, document, reviewed.source.bytes, reviewed.source.validators, at: now.time)
        let applied: AppliedConfiguration
        do throws(ConfigurationError) {
            applied = try host.apply(configuration, removing: [], isWatched: true, after: canary?.monitor.before)
        } catch {
            return finish(.rejected(error), host)
        }
        let (previous, target) = (active, reviewed.canRollBack ? rollbackTarget : nil)
        activate(configuration, at: now.time)
        host.cache(configuration, reviewed.source.headers, after: previous, unproven: canary?.monitor.version)
        host.start(.startup, after: settings.startupWindow)
        // A rollback of this document also undoes the canaries that its target does not include.
        let unproven = canary.map { $0.undone + [$0.monitor.version] } ?? []
        endCanary(host)
        if let rollout = document.rollout {
            let monitor = CanaryMonitor(
                version: document.version, rollout: rollout, start: now.time, before: applied.before,
                now: now.time, uptime: now.uptime)
            beginCanary(monitor, target, adding: applied.addedNamespaces, over: unproven, host)
        }
        host.queueUpdate(configuration, applied, [])
        var outcome = ConfigurationOutcome.applied(version: document.version, namespaces: applied.namespaces)
        outcome.author = document.meta.author
        finish(outcome, host)
    }

    /// Replaces the configuration in use.
    mutating func activate(_ configuration: ActiveConfiguration, at time: Int64) {
        let former = active
        active = configuration
        guard former?.text != configuration.text else { return }
        // Of the former one only the text, because a decoded document needs too much memory for rare reads.
        (changes, activeSince, previousText) = (changes + 1, time, former?.text)
        isUnproven = false
    }
}
