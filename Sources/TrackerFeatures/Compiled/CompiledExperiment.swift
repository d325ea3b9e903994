/// An experiment of a document in use, made ready for many evaluations.
///
/// A class, because an experiment is large to hand on.
package final class CompiledExperiment: Sendable {
    package let experiment: Experiment
    let audience: LocaleFilter
    /// A hash of the experiment's content, within this process: a variant that a unit was given by an experiment with the
    /// same content is no news.
    let digest: Int

    /// Whether assignments are stored.
    package let isSticky: Bool

    /// The key under which assignments are stored, see ``StickyAssignment/experiment``.
    package let storedKey: String

    /// The keys of earlier bucket versions whose units no longer take part.
    let blockingKeys: [String]

    /// Why the experiment gives no unit a variant, unless an override forces one; nil if it can give variants. If it is
    /// `scheduled`, the time decides.
    private let closed: NamedCode<ExperimentAssignment>?

    /// The variants, in the document's order.
    private let variants: [CompiledVariant]

    /// The variant that all units get that take part.
    private let forced: CompiledVariant?

    /// The number of former bucket versions whose keys are compared. A document must not demand millions of them.
    private static let maxVersions = 100

    init(_ experiment: Experiment) {
        self.experiment = experiment
        digest = experiment.contentDigest
        audience = LocaleFilter(countries: experiment.countries, languages: experiment.languages)
        isSticky = experiment.isSticky
        let minVersion = max(experiment.minBucketVersion, 0)
        storedKey = Self.key(experiment.id, max(experiment.bucketVersion, 0))
        blockingKeys = (max(0, minVersion - Self.maxVersions)..<minVersion).map { Self.key(experiment.id, $0) }
        let variants = experiment.variants.map { CompiledVariant($0, of: experiment.id) }
        self.variants = variants
        forced = experiment.forcedVariant.flatMap { name in variants.first { $0.name.isExactly(name) } }
        let isUsable = experiment.isUsable && (experiment.forcedVariant == nil || forced != nil)
        closed =
            !experiment.isEnabled
            ? .disabled : !isUsable ? .unusable : experiment.targeting.usesTime ? .scheduled : nil
    }

    package var id: String { experiment.id }

    private static func key(_ id: String, _ version: Int) -> String { version == 0 ? id : "\(id)__\(version)" }

    /// The variant of a name; nil if there is none.
    func variant(_ name: String) -> CompiledVariant? {
        variants.first { $0.name.isExactly(name) }
    }

    /// Whether a unit with these assignments no longer takes part.
    func isBlocked(by assignments: [StickyAssignment]) -> Bool {
        blockingKeys.contains { assignments.assignment(of: $0) != nil }
    }

    /// Whether these assignments of a unit decide what it is given.
    func isDecided(by assignments: [StickyAssignment]) -> Bool {
        assignments.contains { $0.experiment.isExactly(storedKey) } || isBlocked(by: assignments)
    }

    /// Whether the experiment has begun and is not over.
    /// - Parameter time: The time; nil if it is not known.
    /// - Returns: Whether it is; false for an experiment with a schedule if the time is not known.
    func isCurrent(at time: Instant?) -> Bool {
        experiment.targeting.schedule?.contains(time) ?? true
    }

    /// What can be said before it is known what is stored.
    enum Entry {
        /// The end of the evaluation.
        case evaluation(Evaluation)
        /// The unit to look up or to hash.
        case unit(ExperimentUnit)
    }

    /// The part of an evaluation that needs nothing stored.
    /// - Parameters:
    ///   - forced: The variant that an override forces; one that the experiment does not have is as if there were none.
    ///   - condition: The condition of the service's code.
    ///   - context: The context.
    ///   - clock: Says when the read is.
    ///   - budget: The work that is left to the read.
    ///   - meets: Whether a prerequisite holds.
    /// - Returns: The evaluation, or the unit that it depends on.
    func entry(
        forced: String?, condition: (@Sendable (FeatureContext) -> Bool)?, _ context: FeatureContext,
        _ clock: () -> Instant?, _ budget: ReadBudget, _ meets: (Prerequisite) -> Bool
    ) -> Entry {
        guard budget.spend(0) else { return .evaluation(Evaluation(.refused)) }
        if let forced, let variant = variant(forced) { return .evaluation(Evaluation(.forced, variant)) }
        if let closed, closed != .scheduled || !isCurrent(at: budget.time(clock)) {
            return .evaluation(Evaluation(closed))
        }
        if let condition, !condition(context) { return .evaluation(Evaluation(.condition)) }
        guard audience.includes(context) else { return .evaluation(Evaluation(.filtered)) }
        guard let unit = context.unit(experiment.unit, budget) ?? fallback(in: context, budget) else {
            let isTooLong = context.hasLongID(of: experiment.unit)
            return .evaluation(Evaluation(isTooLong ? .refused : .noUnit))
        }
        if !targetsUnstoredOnly, let reason = exclusion(of: unit, context, budget, meets) {
            return .evaluation(Evaluation(reason, of: unit))
        }
        return .unit(unit)
    }

    /// The unit that is used if there is none of ``Experiment/unit``.
    func fallback(in context: FeatureContext, _ budget: ReadBudget? = nil) -> ExperimentUnit? {
        guard isSticky, let name = experiment.fallbackUnit else { return nil }
        return context.unit(name, budget)
    }

    /// Whether the targeting is asked for units without a stored variant only.
    var targetsUnstoredOnly: Bool { isSticky && experiment.keepsVariantOutsideTargeting }

    /// Why the targeting excludes a unit; nil if it does not.
    func exclusion(
        of unit: ExperimentUnit, _ context: FeatureContext, _ budget: ReadBudget, _ meets: (Prerequisite) -> Bool
    ) -> NamedCode<ExperimentAssignment>? {
        let targeting = experiment.targeting
        for filter in targeting.filters {
            guard let filtered = filter.unit.map({ context.unit($0, budget) }) ?? unit,
                filter.contains(filtered.id)
            else { return budget.isExhausted ? .refused : .notCovered }
        }
        if let condition = targeting.condition, !condition.matches({ context.attribute($0) }, budget) {
            return budget.isExhausted ? .refused : .condition
        }
        if targeting.prerequisites.allSatisfy(meets) { return nil }
        return budget.isExhausted ? .refused : .prerequisite
    }

    /// What the hash gives to a unit.
    func drawn(_ unit: ExperimentUnit, unstored: Evaluation.Unstored? = nil) -> Evaluation {
        guard let index = experiment.variantIndex(for: unit.id), index < variants.count else {
            return Evaluation(.notCovered, of: unit)
        }
        return given(variants[index], .assigned, of: unit, unstored: unstored)
    }

    /// What a unit gets whose stored variant the experiment no longer has: one of the others by their shares. The hash that
    /// drew the former variant lies in the range of its neighbours, so that all of its units would go to these.
    func redrawn(_ unit: ExperimentUnit, from removed: String, _ unstored: Evaluation.Unstored) -> Evaluation {
        let seed = experiment.seed(from: removed)
        let fraction = Bucketing.fraction(of: unit.id, seed: seed, version: .v2)
        guard let index = Bucketing.variantIndex(fraction, in: experiment.rangesOfFormer) else {
            return Evaluation(.notCovered, of: unit)
        }
        return given(variants[index], .assigned, of: unit, unstored: unstored)
    }

    /// What a unit gets that was drawn a variant, now or earlier.
    func given(
        _ variant: CompiledVariant, _ reason: NamedCode<ExperimentAssignment>, of unit: ExperimentUnit,
        unstored: Evaluation.Unstored?
    ) -> Evaluation {
        if let forced { return Evaluation(.forced, forced, of: unit) }
        return Evaluation(reason, variant, of: unit, isSticky: reason == .sticky, unstored: unstored)
    }
}

extension Experiment {
    /// See ``CompiledExperiment/digest``.
    fileprivate var contentDigest: Int {
        var hasher = Hasher()
        if keepsVariantOutsideTargeting {
            // GrowthBook's rules of several features share an experiment. Values and targeting are each rule's own, and
            // the rest decides which variant a unit gets.
            hasher.combine(unit)
            hasher.combine(seed)
            hasher.combine(hashVersion)
            hasher.combine(bucketVersion)
            hasher.combine(ranges)
            hasher.combine(variants.map(\.name))
        } else {
            hasher.combine(self)
        }
        return hasher.finalize()
    }
}
