extension ConfigurationLifecycle {
    /// The configuration in use, and the one that is being applied in its place.
    struct ActiveState: Sendable {
        var configuration: ActiveConfiguration?
        /// When it was applied by this process, in milliseconds since 1970.
        private(set) var since: Int64
        /// The document before it, as it was fetched; empty for the default, nil if there was none, or only another user's.
        private(set) var previousText: [UInt8]?
        /// Counts how often another configuration was applied.
        private(set) var changes = 0
        /// The URL of the document that was rolled back last.
        var revertedURL: String?
        var change: Change?

        init(since: Int64) {
            self.since = since
        }

        /// Replaces the configuration.
        /// - Parameters:
        ///   - next: The next configuration; nil for none.
        ///   - sharedURL: The URL of the document for all users.
        ///   - time: The time, in milliseconds since 1970.
        /// - Returns: Whether it is another one.
        mutating func replace(by next: ActiveConfiguration?, sharedURL: String, at time: Int64) -> Bool {
            let former = configuration
            configuration = next
            guard former?.text != next?.text || former?.url != next?.url else { return false }
            changes += 1
            since = time
            // Its text alone: a decoded document takes too much memory for what is read now and then.
            previousText = former.flatMap { isPrivate($0, sharedURL: sharedURL) ? nil : $0.text }
            return true
        }

        /// Whether a configuration was for another user alone, of which the current one must see nothing.
        func isPrivate(_ configuration: ActiveConfiguration, sharedURL: String) -> Bool {
            guard let url = configuration.url, url != self.configuration?.url else { return false }
            return url != sharedURL
        }
    }

    /// A configuration that is being applied; it decides what its application means.
    indirect enum Change: Sendable {
        case start(ActiveConfiguration, [FallbackChain.Skipped])
        case document(ActiveConfiguration, Fetch, FetchedConfiguration)
        case cached(ActiveConfiguration)
        case rollback(Rollback)
        case user(PendingSwitch)
    }

    /// Applies a configuration to the current user's part of the setup.
    mutating func apply(
        _ configuration: ActiveConfiguration, _ change: Change, removes: Set<ExactText>? = [],
        watch: ApplyRequest.Watch = .continues
    ) -> [Action] {
        activeState.change = change
        let request = ApplyRequest(
            configuration: configuration, previous: active, documents: documents,
            formerWatchdogs: documents.watchdogs, removes: removes, watch: watch)
        return [.apply(request)]
    }

    mutating func activate(_ configuration: ActiveConfiguration?, _ moment: Moment) {
        let isOther = activeState.replace(by: configuration, sharedURL: scope.sharedURL, at: moment.time)
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
        case .document(let configuration, let fetch, let fetched):
            return applied(configuration, fetch, fetched, result, moment)
        case .cached(let configuration):
            activate(configuration, moment)
            bookkeeping.noteApplied(configuration, at: moment.time)
            return [.startTimer(.startup, settings.startupWindow)] + findRollbackTarget()
                + [.publish(configuration, result, [])] + endCacheLoad()
        case .rollback(let rollback): return rolledBack(rollback, result, moment)
        case .user(let next): return changedUser(next, result, moment)
        }
    }

    private mutating func applied(
        _ configuration: ActiveConfiguration, _ fetch: Fetch, _ fetched: FetchedConfiguration, _ result: ApplyResult,
        _ moment: Moment
    ) -> [Action] {
        let (document, review) = (fetched.document, fetched.review)
        let (previous, target) = (active, review.canRollBack ? rollbackTarget : nil)
        activate(configuration, moment)
        notePropagation(of: document, fetch, moment)
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
        return actions + finish(fetch, outcome, moment)
    }

    /// Nothing was changed; the configuration before stays active.
    mutating func applicationFailed(_ error: ConfigurationError, _ moment: Moment) -> [Action] {
        defer { activeState.change = nil }
        switch activeState.change {
        case nil: return []
        case .document(_, let fetch, _): return finish(fetch, .rejected(error), moment)
        case .cached(let configuration):
            let version = configuration.version.map { "\($0)" } ?? ""
            let text = "the cached document of version \(version) cannot be applied: \(error)"
            bookkeeping.note(.rejected, configuration.version, text, at: moment.time)
            return [.log(.error, text, version: configuration.version)] + endCacheLoad()
        case .rollback(let rollback):
            let bad = rollback.bad
            let version = bad.version.map { "version \($0)" } ?? "the default"
            let text = "\(version) failed (\(rollback.reason)) and stays in use, because the rollback failed: \(error)"
            bookkeeping.note(.rollbackFailed, bad.version, text, at: moment.time)
            canaryState.isUnproven = true
            return [.log(.error, text, version: bad.version)]
        case .start, .user: return [.refuse(error)]
        }
    }
}
