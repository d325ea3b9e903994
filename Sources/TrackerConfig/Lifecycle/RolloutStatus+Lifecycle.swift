import FoundationEssentials

extension RolloutStatus {
    /// The rollout of the document that is held back, else the one of the active document.
    init?(_ lifecycle: ConfigurationLifecycle, instanceID: String?) {
        let (active, held) = (lifecycle.active, lifecycle.heldState.rollout)
        guard let (version, rollout) = held ?? active?.document?.offer else { return nil }
        self.init(
            version: version, percent: rollout.percent, position: instanceID.map(rollout.position),
            isIncluded: rollout.includes(instanceID))
        var hasPassed = false
        if let monitor = lifecycle.canaryState.last, monitor.version == version {
            // Of namespaces that differ in Unicode normalization alone, one.
            trackers = Dictionary(monitor.rates.map { ($0.key.text, $0.value) }) { first, _ in first }
            hasPassed = monitor.hasPassed
        }
        if held != nil, lifecycle.heldState.isReverted { state = .reverted }
        // Without the end of its bake time it never passes.
        guard held == nil, !lifecycle.canaryState.isUnproven, let active else { return }
        if lifecycle.canary != nil { state = .baking } else if hasPassed { state = .passed }
        bakeEnd = Date(milliseconds: CanaryMonitor.end(of: rollout, start: active.time))
    }

    /// The status at a time.
    /// - Parameters:
    ///   - time: The time. A canary that an earlier process observed has passed if its bake time was over then.
    ///   - left: How long this process goes on to observe the canary.
    ///   - untilFailure: How long until it is reverted if requests go on to fail.
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
