import FoundationEssentials

extension RolloutStatus {
    /// Creates the status of the held document's rollout, or else of the active document's. A canary from an earlier
    /// process has passed if its bake time is over.
    init?(_ lifecycle: ConfigurationLifecycle, instanceID: String?, at time: Date, uptime: Duration) {
        let (active, held) = (lifecycle.active, lifecycle.held.rollout)
        guard let (version, rollout) = held ?? active?.document?.offer else { return nil }
        self.init(
            version: version, percent: rollout.percent, position: instanceID.map(rollout.position),
            isIncluded: rollout.includes(instanceID))
        var hasPassed = false
        if let monitor = lifecycle.lastCanary, monitor.version == version {
            // Two namespaces that are equal after Unicode normalization share one entry.
            trackers = Dictionary(monitor.rates.map { ($0.key.text, $0.value) }) { first, _ in first }
            hasPassed = monitor.hasPassed
        }
        if held != nil, lifecycle.held.isReverted { state = .reverted }
        // A canary without an end of its bake time never passes.
        guard held == nil, !lifecycle.isUnproven, let active else { return }
        let bakeEnd = Date(milliseconds: CanaryMonitor.end(of: rollout, start: active.time))
        self.bakeEnd = bakeEnd
        func date(_ end: Duration) -> Date { time.addingTimeInterval(max(end - uptime, .zero) / .seconds(1)) }
        if let monitor = lifecycle.canary?.monitor {
            (state, self.bakeEnd) = (.baking, date(monitor.end))
            expectedRevertTime = monitor.expectedFailure.map(date)
        } else if hasPassed || bakeEnd <= time {
            state = .passed
        }
    }
}
