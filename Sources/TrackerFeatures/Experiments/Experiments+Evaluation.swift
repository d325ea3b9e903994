import FoundationEssentials
import Synchronization

extension Experiments {
    /// Decides the variant of a context, without recording an exposure or storing an assignment. If the caller uses the
    /// variant, it then calls ``record(_:of:version:)``.
    /// - Parameters:
    ///   - experiment: The experiment.
    ///   - forced: The variant that an override forces.
    ///   - context: The context.
    ///   - loadsUnits: Whether units that a shared store has not returned yet are loaded in the background.
    ///   - time: The time of the decision; nil for now.
    ///   - budget: The remaining budget of the read.
    ///   - meets: Returns whether a prerequisite holds; called outside all locks.
    /// - Returns: The variant, nil if there is none, and the reason.
    package func decision(
        of experiment: CompiledExperiment, forced: String?, for context: FeatureContext, loadsUnits: Bool,
        at time: Instant?, _ budget: ReadBudget, meets: (Prerequisite) -> Bool
    ) -> VariantDecision {
        if NestedReads.areTooDeep {
            budget.refuse(.nested)
            return VariantDecision(.refused)
        }
        let closure =
            hasConditions.load(ordering: .acquiring) ? state.withLock { $0.conditions[exactly: experiment.id] } : nil
        let condition = closure.map { closure in
            { @Sendable (context: FeatureContext) in NestedReads.call { closure(context) } }
        }
        return experiment.decision(
            forced: forced, condition: condition, context, { time ?? clock.now }, budget, meets
        ) { unit in
            experiment.isSticky
                ? sticky(experiment, unit, context, loadsUnits, budget, meets) : experiment.drawn(unit)
        }
    }

    /// Decides the variant of a unit in a sticky experiment: the stored variant of the unit, or else that of the
    /// fallback unit, or else the variant that the hash selects.
    private func sticky(
        _ experiment: CompiledExperiment, _ unit: ExperimentUnit, _ context: FeatureContext, _ loadsUnits: Bool,
        _ budget: ReadBudget, _ meets: (Prerequisite) -> Bool
    ) -> VariantDecision {
        var isAvailable = true
        /// The stored assignments of a unit; nil if the store cannot answer at once.
        func stored(_ unit: ExperimentUnit) -> [StickyAssignment]? {
            guard isAvailable else { return [] }
            switch sticky.assignments(of: unit, for: experiment, loads: loadsUnits) {
            case .assignments(let assignments): return assignments
            case .notLoaded: return nil
            case .unavailable:
                isAvailable = false
                return []
            }
        }
        let own = stored(unit)
        let mine = own?.assignment(of: experiment.storedKey)
        let kept = mine.flatMap { experiment.variant($0.variant) }
        if let kept, experiment.blockingKeys.isEmpty {
            return experiment.decision(kept, .sticky, of: unit, unstored: nil)
        }
        let fallback = experiment.fallback(in: context).flatMap { $0 == unit ? nil : $0 }
        let others = fallback.map(stored) ?? []
        guard let own, let others else { return VariantDecision(.notLoaded, of: unit) }
        if experiment.isBlocked(by: own) || experiment.isBlocked(by: others) {
            return VariantDecision(.blocked, of: unit)
        }
        if let kept { return experiment.decision(kept, .sticky, of: unit, unstored: nil) }
        let other = others.assignment(of: experiment.storedKey)
        if let other, let variant = experiment.variant(other.variant) {
            // The variant of the fallback unit is stored for the unit too.
            let unstored = VariantDecision.Unstored(date: other.date.milliseconds, replaced: mine?.variant)
            return experiment.decision(variant, .sticky, of: unit, unstored: unstored)
        }
        if experiment.targetsUnstoredOnly, let reason = experiment.exclusion(of: unit, context, budget, meets) {
            return VariantDecision(reason, of: unit)
        }
        guard isAvailable else { return experiment.drawn(unit) }
        let unstored = VariantDecision.Unstored(date: parts.time.wallTime, replaced: mine?.variant)
        // GrowthBook's SDKs use the same hash again.
        if let removed = mine ?? other, !experiment.experiment.keepsVariantOutsideTargeting {
            return experiment.redrawn(unit, from: removed.variant, unstored)
        }
        return experiment.drawn(unit, unstored: unstored)
    }

    /// Whether ``record(_:of:version:)`` has anything to do: most services record no exposures, and most units are
    /// already stored.
    @inline(__always)
    func hasToRecord(_ decision: VariantDecision) -> Bool { remembersExposures || decision.unstored != nil }

    /// Records an exposure of the decided variant, and stores it if the experiment is sticky.
    /// - Parameters:
    ///   - decision: The decision.
    ///   - experiment: The experiment.
    ///   - version: The version of the experiment's document.
    /// - Returns: The recorded decision. It has another variant if another thread gave the unit that variant in the
    ///   meantime.
    @discardableResult
    package func record(_ decision: VariantDecision, of experiment: CompiledExperiment, version: Int?)
        -> VariantDecision
    {
        guard hasToRecord(decision), var variant = decision.variant, let unit = decision.unit,
            decision.reason != .forced
        else { return decision }
        var result = decision
        if let unstored = decision.unstored {
            let assignment = StickyAssignment(
                unit: unit, experiment: experiment.storedKey, variant: variant.name,
                date: Date(milliseconds: unstored.date), replaced: unstored.replaced)
            let kept = sticky.keep(assignment).flatMap { experiment.variant($0.variant) }
            let reason = kept.map { $0 === variant } ?? true ? decision.reason : .sticky
            variant = kept ?? variant
            // The fallback unit's variant stays stored there, even if the unit's own assignment is not stored.
            result = VariantDecision(reason, variant, of: unit, isSticky: kept != nil || decision.isSticky)
        }
        if remembersExposures, isFirst(variant, of: experiment, to: unit) {
            // A tracker's plugins may read features.
            NestedReads.call { expose(variant, of: experiment, version: version, to: unit, isSticky: result.isSticky) }
        }
        return result
    }

    /// The time since which a variant is stored for the unit of a context, or for the fallback unit; loads nothing.
    /// - Parameters:
    ///   - experiment: The experiment.
    ///   - variant: The variant.
    ///   - context: The context.
    /// - Returns: The time in milliseconds since 1970; nil if that variant is not stored, as far as is known.
    package func storedTime(
        of experiment: CompiledExperiment, _ variant: String, for context: FeatureContext
    ) -> Int64? {
        let units = [context.unit(experiment.experiment.unit), experiment.fallback(in: context)].compactMap(\.self)
        for unit in units where experiment.isSticky {
            guard case .assignments(let stored) = sticky.assignments(of: unit, for: experiment, loads: false),
                let own = stored.assignment(of: experiment.storedKey), own.variant.isExactly(variant)
            else { continue }
            return own.date.milliseconds
        }
        return nil
    }
}
