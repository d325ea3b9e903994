extension ConfigurationLifecycle {
    /// The configuration in use, and the one that is being applied in its place.
    struct ActiveState: Sendable {
        var configuration: ActiveConfiguration?
        /// When it was applied by this process, in milliseconds since 1970.
        private(set) var since: Int64
        /// The document before it, as it was fetched; empty for the default, nil if there was none.
        private(set) var previousText: [UInt8]?
        /// Counts how often another configuration was applied.
        private(set) var changes = 0
        var change: Change?

        init(since: Int64) {
            self.since = since
        }

        /// Replaces the configuration.
        /// - Parameters:
        ///   - next: The next configuration.
        ///   - time: The time, in milliseconds since 1970.
        /// - Returns: Whether it is another one.
        mutating func replace(by next: ActiveConfiguration, at time: Int64) -> Bool {
            let former = configuration
            configuration = next
            guard former?.text != next.text else { return false }
            changes += 1
            since = time
            // Its text alone: a decoded document takes too much memory for what is read now and then.
            previousText = former?.text
            return true
        }
    }

    /// A configuration that is being applied; it decides what its application means.
    indirect enum Change: Sendable {
        case start(ActiveConfiguration, [CachedDocuments.Skipped])
        case document(ActiveConfiguration, FetchedConfiguration)
        case rollback(Rollback)
    }

    /// Applies a configuration.
    mutating func apply(
        _ configuration: ActiveConfiguration, _ change: Change, removes: Set<ExactText> = [],
        watch: ApplyRequest.Watch = .continues
    ) -> [Action] {
        activeState.change = change
        let request = ApplyRequest(
            configuration: configuration, removes: removes, watch: watch)
        return [.apply(request)]
    }

    mutating func activate(_ configuration: ActiveConfiguration, _ moment: Moment) {
        let isOther = activeState.replace(by: configuration, at: moment.time)
        if isOther { canaryState.isUnproven = false }
    }

    mutating func applied(_ result: ApplyResult, _ moment: Moment) -> [Action] {
        defer { activeState.change = nil }
        switch activeState.change {
        case nil: return []
        case .start(let configuration, let skipped):
            // The start is no change.
            activeState.configuration = configuration
            bookkeeping.noteApplied(configuration, at: settings.startTime)
            bookkeeping.note(skipped, at: settings.startTime)
            return [.publish(configuration, result, [])]
        case .document(let configuration, let fetched): return applied(configuration, fetched, result, moment)
        case .rollback(let rollback): return rolledBack(rollback, result, moment)
        }
    }

    private mutating func applied(
        _ configuration: ActiveConfiguration, _ fetched: FetchedConfiguration, _ result: ApplyResult, _ moment: Moment
    ) -> [Action] {
        let (document, review) = (fetched.document, fetched.review)
        let (previous, target) = (active, review.canRollBack ? rollbackTarget : nil)
        activate(configuration, moment)
        var actions = [
            cache(configuration, fetched.source, previous: previous), .startTimer(.startup, settings.startupWindow),
        ]
        // What the target of a rollback does not have is undone with this document.
        let unproven = canary.map { $0.undone + [$0.monitor.version] } ?? []
        actions += endCanary()
        if let rollout = document.rollout {
            let monitor = CanaryMonitor(
                version: document.version, rollout: rollout, start: moment.time, before: result.before,
                now: moment.time, uptime: moment.uptime)
            actions += beginCanary(monitor, target, adding: result.addedNamespaces, over: unproven, moment)
        }
        actions.append(.publish(configuration, result, []))
        let outcome = ConfigurationOutcome.applied(version: document.version, namespaces: result.namespaces)
        return actions + finish(outcome, moment)
    }

    /// Nothing was changed; the configuration before stays active.
    mutating func applicationFailed(_ error: ConfigurationError, _ moment: Moment) -> [Action] {
        defer { activeState.change = nil }
        switch activeState.change {
        case nil: return []
        case .document: return finish(.rejected(error), moment)
        case .rollback(let rollback):
            let bad = rollback.bad
            let version = bad.version.map { "version \($0)" } ?? "the default"
            let text = "\(version) failed (\(rollback.reason)) and stays in use, because the rollback failed: \(error)"
            bookkeeping.note(.rollbackFailed, bad.version, text, at: moment.time)
            canaryState.isUnproven = true
            return [.log(.error, text, version: bad.version)]
        case .start: return [.refuse(error)]
        }
    }
}
