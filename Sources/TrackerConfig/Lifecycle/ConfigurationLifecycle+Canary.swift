import FoundationEssentials

extension ConfigurationLifecycle {
    /// A canary: the document that is applied, under observation.
    package struct Canary: Sendable {
        package var monitor: CanaryMonitor
        /// The last known good configuration.
        package let rollbackTarget: ActiveConfiguration
        /// The trackers that only the canary has.
        let addedNamespaces: Set<ExactText>
        /// The canaries before it that had not passed and that a rollback undoes too, the oldest first; at most 5.
        var undone: [Int] = []
    }

    /// A rollback of a canary.
    struct Rollback: Sendable {
        let target: ActiveConfiguration
        let bad: ActiveConfiguration
        let reason: String
        /// The canaries before the bad one that it undoes too.
        let undone: [Int]
        /// The time since the bad one was applied.
        let age: Duration

        /// The rollback as a change, with both ends, the cause and what it undoes.
        func change(of document: Document, at time: Int64) -> ConfigurationChange {
            let version = "version \(document.version)"
            var facts = ["\(version) was reverted after \((age / .seconds(1)).inWords): \(reason)"]
            if target.document == nil {
                facts.append("the default\(target.version.map { " (\($0))" } ?? "") is back")
            } else {
                facts.append("\(target.version.map { "version \($0)" } ?? "the document") is back")
            }
            if !undone.isEmpty {
                let noun = undone.count == 1 ? "version" : "versions"
                facts.append("\(noun) \(listed(undone.map { "\($0)" })) had not finished the bake time")
            }
            facts.append("\(version) is not applied again")
            var change = ConfigurationChange(
                kind: .reverted, version: document.version, text: facts.joined(separator: "; "),
                time: Date(milliseconds: time), needsAttention: true)
            (change.restoredVersion, change.undoneVersions) = (target.version, undone)
            return change
        }
    }

    /// The canary, and what the last one has shown.
    struct CanaryState: Sendable {
        var current: Canary? {
            didSet { if let current { last = current.monitor } }
        }
        /// The last canary's monitor, also once the canary has passed.
        private(set) var last: CanaryMonitor?
        /// Whether the active document asked for a canary and was not watched, or failed and could not be rolled back.
        var isUnproven = false
    }

    /// Continues the canary of a cached document that an earlier process began.
    mutating func resumeCanary(_ target: RollbackTarget, _ moment: Moment) -> [Action] {
        guard let active, let document = active.document, let rollout = document.rollout else { return [] }
        let monitor = CanaryMonitor(
            version: document.version, rollout: rollout, start: active.time, before: target.before,
            now: moment.time, uptime: moment.uptime)
        return beginCanary(monitor, target.configuration, adding: target.addedNamespaces, moment)
    }

    mutating func beginCanary(
        _ monitor: CanaryMonitor, _ target: ActiveConfiguration?, adding namespaces: Set<ExactText>,
        over unproven: [Int] = [], _ moment: Moment
    ) -> [Action] {
        guard monitor.end > moment.uptime else { return [] }
        // A configuration without trackers would lose every event.
        guard let target else {
            canaryState.isUnproven = true
            let text = "version \(monitor.version) is not watched: there is nothing to go back to"
            return [.log(.warning, text, version: monitor.version)]
        }
        canaryState.current = Canary(
            monitor: monitor, rollbackTarget: target, addedNamespaces: namespaces, undone: unproven.suffix(5))
        canaryState.isUnproven = false
        let seconds = (monitor.end - moment.uptime).components.seconds
        return [
            .startTimer(.canary, monitor.interval),
            .log(.info, "version \(monitor.version) is watched for \(seconds) s", version: monitor.version),
        ]
    }

    mutating func endCanary() -> [Action] {
        guard canary != nil else { return [] }
        canaryState.current = nil
        return [.cancelTimer(.canary)]
    }

    mutating func canaryObserved(
        _ trackers: [ExactText: CanaryMonitor.Observation], _ reversion: String?, _ moment: Moment
    ) -> [Action] {
        guard var canary else { return [] }
        let verdict = canary.monitor.judge(trackers, now: moment.time, uptime: moment.uptime)
        canaryState.current = canary
        // One process of an instance speaks for all of them.
        if let reversion { return rollBack(canary, reversion, moment) }
        switch verdict {
        case .goesOn: return []
        case .passed:
            let version = canary.monitor.version
            return [.log(.info, "version \(version) passed its bake time", version: version)] + endCanary()
        case .failed(let reason): return rollBack(canary, reason, moment)
        }
    }

    private mutating func rollBack(_ canary: Canary, _ reason: String, _ moment: Moment) -> [Action] {
        guard let bad = active else { return [] }
        let target = canary.rollbackTarget
        let rollback = Rollback(
            target: target, bad: bad, reason: reason, undone: canary.undone,
            age: moment.uptime - canary.monitor.start)
        return endCanary() + [.recordReversion(bad, reason)]
            + apply(target, .rollback(rollback), removes: canary.addedNamespaces)
    }

    mutating func rolledBack(_ rollback: Rollback, _ result: ApplyResult, _ moment: Moment) -> [Action] {
        let (bad, reason) = (rollback.bad, rollback.reason)
        let good = rollback.target.reverted()
        activate(good, moment)
        guard let document = bad.document else { return [] }
        let change = rollback.change(of: document, at: moment.time)
        bookkeeping.history.add(change)
        let objection = HoldReason(.reverted, "it was reverted: \(reason)")
        let outcome = ConfigurationOutcome.held(objection, version: document.version)
        hold(document, bad.validators, outcome, objection.kind)
        // A fetch that finds it again is no news.
        bookkeeping.history.last = outcome
        let warning = ConfigurationError(
            .warning, place: "version \(document.version)", reason: "reverted: \(reason)")
        return [.log(.warning, change.text, version: document.version), .publish(good, result, [warning])]
    }
}
