import FoundationEssentials
import Synchronization

extension Experiments {
    /// Decides what an experiment gives to a context, without an exposure and without storing it.
    /// ``record(_:of:version:)`` follows if the caller uses the variant.
    /// - Parameters:
    ///   - experiment: The experiment.
    ///   - forced: The variant that an override forces.
    ///   - context: The context.
    ///   - loadsUnits: Whether a shared store is asked in the background for units that it has not returned yet.
    ///   - time: The time to decide for; nil for the present.
    ///   - budget: The work that is left to the read.
    ///   - meets: Whether a prerequisite holds; called outside all locks.
    /// - Returns: The variant, nil if none is given, and the reason.
    package func decision(
        of experiment: CompiledExperiment, forced: String?, for context: FeatureContext, loadsUnits: Bool,
        at time: Instant?, _ budget: ReadBudget, meets: (Prerequisite) -> Bool
    ) -> Evaluation {
        if NestedReads.areTooDeep {
            budget.refuse(.nested)
            return Evaluation(.refused)
        }
        let closure =
            hasConditions.load(ordering: .acquiring) ? state.withLock { $0.conditions[exactly: experiment.id] } : nil
        let condition = closure.map { closure in
            { @Sendable (context: FeatureContext) in NestedReads.call { closure(context) } }
        }
        switch experiment.entry(forced: forced, condition: condition, context, { time ?? clock.now }, budget, meets) {
        case .evaluation(let evaluation): return evaluation
        case .unit(let unit):
            return experiment.isSticky
                ? sticky(experiment, unit, context, loadsUnits, budget, meets) : experiment.drawn(unit, budget)
        }
    }

    /// Whether ``record(_:of:version:)`` has anything to do: most services record no exposure, and most units have been
    /// stored.
    @inline(__always)
    func hasToRecord(_ decision: Evaluation) -> Bool { remembersGiven || decision.unstored != nil }

    /// Records an exposure of a variant that was decided, and stores it if the experiment is sticky.
    /// - Parameters:
    ///   - decision: The decision.
    ///   - experiment: The experiment.
    ///   - version: The version of its document.
    /// - Returns: The decision with what became of it. It has another variant if another thread gave the unit that one in
    ///   the meantime; then that one is recorded.
    @discardableResult
    package func record(_ decision: Evaluation, of experiment: CompiledExperiment, version: Int?) -> Evaluation {
        guard hasToRecord(decision), let variant = decision.variant, let unit = decision.unit,
            decision.reason != .forced
        else { return decision }
        guard let unstored = decision.unstored else {
            let given = experiment.given(variant)
            if remember({ $0.memory.give(given, to: unit) }) {
                expose(variant, of: experiment, version: version, to: unit, isSticky: decision.isSticky)
            }
            return decision
        }
        let uptime = parts.time.uptime
        let assignment = StickyAssignment(
            unit: unit, experiment: experiment.storedKey, variant: variant.name,
            date: Date(milliseconds: unstored.date), replaced: unstored.replaced)
        let outcome = remember { store(assignment, variant, of: experiment, &$0, uptime) }
        if outcome.startsDraining { Task.detached { [self] in await drain() } }
        // A variant that the fallback unit has is stored there, whatever becomes of the unit's own assignment.
        let isSticky = outcome.isStored || decision.isSticky
        if outcome.isNews {
            expose(outcome.variant, of: experiment, version: version, to: unit, isSticky: isSticky)
        }
        let reason = outcome.isOvertaken ? .sticky : decision.reason
        return Evaluation(reason, outcome.variant, of: unit, isSticky: isSticky)
    }

    /// Changes what is remembered, and releases what is no longer needed outside the lock, because it may be much.
    func remember<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, discarded) = state.withLock { (body(&$0), $0.memory.takeDiscarded()) }
        return withExtendedLifetime(discarded) { result }
    }

    /// What became of a variant that is to be stored.
    private struct Outcome {
        let variant: CompiledVariant
        var isStored = true
        var startsDraining = false
        /// Whether another thread has given the unit this variant in the meantime.
        var isOvertaken = false
        var isNews = false
    }

    private func store(
        _ assignment: StickyAssignment, _ variant: CompiledVariant, of experiment: CompiledExperiment,
        _ state: inout State, _ uptime: Duration
    ) -> Outcome {
        var outcome = Outcome(variant: variant)
        if let other = overtaking(assignment, of: experiment, &state) {
            outcome = Outcome(variant: other, isOvertaken: true)
        } else {
            outcome.isStored = store(assignment, &state, uptime)
            outcome.startsDraining = outcome.isStored && !state.isDraining
            if outcome.startsDraining { state.isDraining = true }
        }
        outcome.isNews = remembersGiven && state.memory.give(experiment.given(outcome.variant), to: assignment.unit)
        return outcome
    }

    /// The variant that another thread has given the unit in the meantime.
    private func overtaking(
        _ assignment: StickyAssignment, of experiment: CompiledExperiment, _ state: inout State
    ) -> CompiledVariant? {
        let key = assignment.experiment
        guard let other = state.memory.read(assignment.unit, { $0.assignment(of: key) }) ?? nil,
            let name = other.variant, state.forgotten.isValid(other.stamp, of: key),
            let variant = experiment.variant(name)
        else { return nil }
        return variant
    }

    /// Remembers an assignment and hands it to the store.
    /// - Returns: False if the store does not take it.
    private func store(_ assignment: StickyAssignment, _ state: inout State, _ uptime: Duration) -> Bool {
        // Between the moments in which a document is used and in which it is adopted.
        guard state.sticky.contains(ExactText(assignment.experiment)) else { return false }
        guard uptime >= state.quietUntil.writing, state.outbox.keep(assignment) else {
            state.counters.assignmentsLost += 1
            return false
        }
        state.memory.assign(
            AssignmentCache.Assigned(assignment, stamp: state.forgotten.stamp, seen: uptime), to: assignment.unit)
        return true
    }
}

extension CompiledExperiment {
    func given(_ variant: CompiledVariant) -> AssignmentCache.Exposed {
        AssignmentCache.Exposed(experiment: id, variant: variant.name, content: digest)
    }
}
