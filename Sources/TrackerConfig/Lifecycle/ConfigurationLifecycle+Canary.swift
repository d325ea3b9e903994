import FoundationEssentials
package import TrackerJSON

extension ConfigurationLifecycle {
    /// A canary: the applied document while it is observed.
    package struct Canary: Sendable {
        package var monitor: CanaryMonitor
        /// The last known good configuration.
        package let rollbackTarget: ActiveConfiguration
        /// The trackers that only the canary has.
        let addedNamespaces: Set<ExactText>
        /// The earlier canaries that had not passed and that a rollback undoes too, the oldest first; at most 5.
        var undone: [Int] = []
    }

    /// A canary that an earlier process has begun.
    package struct EarlierCanary: Sendable {
        /// The last known good configuration; nil if there is none with trackers.
        var rollbackTarget: ActiveConfiguration?
        /// The trackers of the target without any requests, by namespace.
        var before: [ExactText: CanaryMonitor.Observation] = [:]
        /// The trackers that the target does not have.
        var addedNamespaces: Set<ExactText> = []
    }

    /// Resumes the canary of a cached document from an earlier process.
    mutating func resume(_ earlier: EarlierCanary, _ host: some LifecycleHost) {
        guard let active, let document = active.document, let rollout = document.rollout else { return }
        let monitor = CanaryMonitor(
            version: document.version, rollout: rollout, start: active.time, before: earlier.before,
            now: host.now.time, uptime: host.now.uptime)
        beginCanary(monitor, earlier.rollbackTarget, adding: earlier.addedNamespaces, host)
    }

    mutating func beginCanary(
        _ monitor: CanaryMonitor, _ target: ActiveConfiguration?, adding namespaces: Set<ExactText>,
        over unproven: [Int] = [], _ host: some LifecycleHost
    ) {
        let (version, left) = (monitor.version, monitor.end - host.now.uptime)
        guard left > .zero else { return }
        // A configuration without trackers would drop every event.
        guard let target else {
            isUnproven = true
            return host.log(
                .warning, "version \(version) is not watched: there is nothing to go back to", about: version)
        }
        canary = Canary(
            monitor: monitor, rollbackTarget: target, addedNamespaces: namespaces, undone: unproven.suffix(5))
        isUnproven = false
        host.start(.canary, after: monitor.interval)
        host.log(.info, "version \(version) is watched for \(left.components.seconds) s", about: version)
    }

    mutating func endCanary(_ host: some LifecycleHost) {
        guard canary != nil else { return }
        canary = nil
        host.cancel(.canary)
    }

    /// Evaluates the canary.
    /// - Parameters:
    ///   - trackers: The trackers, by namespace.
    ///   - reversion: The reason why another process of the instance reverted it; nil if none did.
    ///   - host: The host.
    package mutating func observed(
        _ trackers: [ExactText: CanaryMonitor.Observation], reversion: String?, _ host: some LifecycleHost
    ) {
        guard !isStopped, var canary else { return }
        let verdict = canary.monitor.check(trackers, now: host.now.time, uptime: host.now.uptime)
        self.canary = canary
        // The decision of one process applies to the whole instance.
        if let reversion { return rollBack(canary, reversion, host) }
        switch verdict {
        case .goesOn: break
        case .passed:
            let version = canary.monitor.version
            host.log(.info, "version \(version) passed its bake time", about: version)
            endCanary(host)
        case .failed(let reason): rollBack(canary, reason, host)
        }
    }

    private mutating func rollBack(_ canary: Canary, _ reason: String, _ host: some LifecycleHost) {
        guard let bad = active, let document = bad.document else { return }
        let (version, time) = (document.version, host.now.time)
        endCanary(host)
        host.recordReversion(of: version, reason)
        let applied: AppliedConfiguration
        do throws(ConfigurationError) {
            applied = try host.apply(
                canary.rollbackTarget, removing: canary.addedNamespaces, isWatched: false, after: nil)
        } catch {
            let text =
                "version \(version) failed (\(reason)) and stays in use, because the rollback failed: \(error)"
            outcomes.add(
                ConfigurationChange(
                    kind: .rollbackFailed, version: version, text: text, time: Date(milliseconds: time),
                    needsAttention: true))
            isUnproven = true
            return host.log(.error, text, about: version)
        }
        let good = canary.rollbackTarget.reverted()
        activate(good, at: time)
        let change = canary.reversion(reason, after: host.now.uptime - canary.monitor.start, at: time)
        outcomes.add(change)
        let outcome = ConfigurationOutcome.held(
            HoldReason(.reverted, "it was reverted: \(reason)"), version: version)
        hold(document, bad.validators, outcome)
        // A later fetch that finds the document again is not reported as new.
        outcomes.last = outcome
        host.log(.warning, change.text, about: version)
        let warning = ConfigurationError(.warning, place: "version \(version)", reason: "reverted: \(reason)")
        host.queueUpdate(good, applied, [warning])
    }
}

extension ConfigurationLifecycle.Canary {
    /// The rollback as a change, with both versions, the cause and the undone versions.
    fileprivate func reversion(_ reason: String, after age: Duration, at time: Int64) -> ConfigurationChange {
        let (version, target) = (monitor.version, rollbackTarget)
        var facts = ["version \(version) was reverted after \((age / .seconds(1)).inWords): \(reason)"]
        if target.document == nil {
            facts.append("the default\(target.version.map { " (\($0))" } ?? "") is back")
        } else {
            facts.append("\(target.version.map { "version \($0)" } ?? "the document") is back")
        }
        if !undone.isEmpty {
            let noun = undone.count == 1 ? "version" : "versions"
            facts.append("\(noun) \(listed(undone.map { "\($0)" })) had not finished the bake time")
        }
        facts.append("version \(version) is not applied again")
        var change = ConfigurationChange(
            kind: .reverted, version: version, text: facts.joined(separator: "; "), time: Date(milliseconds: time),
            needsAttention: true)
        (change.restoredVersion, change.undoneVersions) = (target.version, undone)
        return change
    }
}
