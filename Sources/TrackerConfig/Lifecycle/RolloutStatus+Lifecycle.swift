import FoundationEssentials

extension RolloutStatus {
    /// Creates the status of the held document's rollout, or else of the active document's.
    init?(_ lifecycle: ConfigurationLifecycle, instanceID: String?) {
        let (active, held) = (lifecycle.active, lifecycle.heldState.rollout)
        guard let (version, rollout) = held ?? active?.document?.offer else { return nil }
        self.init(
            version: version, percent: rollout.percent, position: instanceID.map(rollout.position),
            isIncluded: rollout.includes(instanceID))
        var hasPassed = false
        if let monitor = lifecycle.canaryState.last, monitor.version == version {
            // Two namespaces that are equal after Unicode normalization share one entry.
            trackers = Dictionary(monitor.rates.map { ($0.key.text, $0.value) }) { first, _ in first }
            hasPassed = monitor.hasPassed
        }
        if held != nil, lifecycle.heldState.isReverted { state = .reverted }
        // A canary without an end of its bake time never passes.
        guard held == nil, !lifecycle.canaryState.isUnproven, let active else { return }
        if lifecycle.canary != nil { state = .baking } else if hasPassed { state = .passed }
        bakeEnd = Date(milliseconds: CanaryMonitor.end(of: rollout, start: active.time))
    }

    /// Returns the status at a time.
    /// - Parameters:
    ///   - time: The time. A canary from an earlier process has passed if its bake time was over by then.
    ///   - left: How much longer this process observes the canary.
    ///   - untilFailure: The time until it is reverted if requests continue to fail.
    /// - Returns: The status.
    func at(_ time: Date, left: Duration?, untilFailure: Duration? = nil) -> RolloutStatus {
        var status = self
        if state == .none, let bakeEnd, bakeEnd <= time { status.state = .passed }
        if state == .baking, let left { status.bakeEnd = time.addingTimeInterval(max(left, .zero) / .seconds(1)) }
        if state == .baking {
            status.expectedRevertTime = untilFailure.map { time.addingTimeInterval(max($0, .zero) / .seconds(1)) }
        }
        return status
    }
}
