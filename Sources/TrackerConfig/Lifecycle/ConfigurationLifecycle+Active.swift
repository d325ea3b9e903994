extension ConfigurationLifecycle {
    /// The state of the configuration in use.
    struct ActiveState: Sendable {
        var configuration: ActiveConfiguration?
        /// The time when this process applied it, in milliseconds since 1970.
        private(set) var since: Int64
        /// The bytes of the previous document; empty for the default, nil if there was none.
        private(set) var previousText: [UInt8]?
        /// The number of changes to another configuration.
        private(set) var changes = 0

        init(since: Int64) {
            self.since = since
        }

        /// Replaces the configuration.
        /// - Parameters:
        ///   - next: The next configuration.
        ///   - time: The time, in milliseconds since 1970.
        /// - Returns: Whether it differs from the previous one.
        mutating func replace(by next: ActiveConfiguration, at time: Int64) -> Bool {
            let former = configuration
            configuration = next
            guard former?.text != next.text else { return false }
            changes += 1
            since = time
            // Only the text, because a decoded document needs too much memory for rare reads.
            previousText = former?.text
            return true
        }
    }

    mutating func activate(_ configuration: ActiveConfiguration, at time: Int64) {
        if activeState.replace(by: configuration, at: time) { canaryState.isUnproven = false }
    }

    /// Applies a fetched document.
    mutating func apply(_ fetched: FetchedConfiguration, _ host: some LifecycleHost) {
        let (document, moment) = (fetched.document, host.moment)
        let configuration = ActiveConfiguration(
            .fetched, document, fetched.source.bytes, fetched.source.validators, at: moment.time)
        let result: ApplyResult
        do throws(ConfigurationError) {
            result = try host.apply(configuration, removing: [], isWatched: true, after: canary?.monitor.before)
        } catch {
            return finish(.rejected(error), host)
        }
        let (previous, target) = (active, fetched.review.canRollBack ? rollbackTarget : nil)
        activate(configuration, at: moment.time)
        host.cache(configuration, fetched.source.headers, after: previous, unproven: canary?.monitor.version)
        host.start(.startup, after: settings.startupWindow)
        // A rollback of this document also undoes the canaries that its target does not include.
        let unproven = canary.map { $0.undone + [$0.monitor.version] } ?? []
        endCanary(host)
        if let rollout = document.rollout {
            let monitor = CanaryMonitor(
                version: document.version, rollout: rollout, start: moment.time, before: result.before,
                now: moment.time, uptime: moment.uptime)
            beginCanary(monitor, target, adding: result.addedNamespaces, over: unproven, host)
        }
        host.publish(configuration, result, [])
        var outcome = ConfigurationOutcome.applied(version: document.version, namespaces: result.namespaces)
        outcome.author = document.meta.author
        finish(outcome, host)
    }
}
