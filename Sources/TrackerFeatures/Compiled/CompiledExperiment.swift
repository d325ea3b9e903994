/// An experiment of a document in use, prepared for many evaluations.
///
/// A class, because an experiment is too large to copy.
package final class CompiledExperiment: Sendable {
    package let experiment: Experiment
    let audience: LocaleFilter
    /// A hash of the experiment's content within this process. If a unit already got the variant from the same content,
    /// that is not a new exposure.
    let digest: Int

    /// Whether assignments are stored.
    package let isSticky: Bool

    /// The key under which assignments are stored, see ``StickyAssignment/experiment``.
    package let storedKey: String

    /// The keys of earlier bucket versions that exclude a unit if an assignment is stored under them.
    let blockingKeys: [String]

    /// The reason why the experiment gives no unit a variant, unless an override forces one; nil if it can give
    /// variants. If it is `scheduled`, the time decides.
    private let closed: NamedCode<ExperimentAssignment>?

    /// The variants, in the document's order.
    private let variants: [CompiledVariant]

    /// The variant of all units that take part; nil if none is forced.
    private let forced: CompiledVariant?

    /// The maximum number of earlier bucket versions whose keys are compared, because a document could demand millions
    /// of them.
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

    /// The variant with a name; nil if there is none.
    func variant(_ name: String) -> CompiledVariant? {
        variants.first { $0.name.isExactly(name) }
    }

    /// Whether these assignments exclude their unit from the experiment.
    func isBlocked(by assignments: [StickyAssignment]) -> Bool {
        blockingKeys.contains { assignments.assignment(of: $0) != nil }
    }

    /// Whether these assignments decide the variant of their unit.
    func isDecided(by assignments: [StickyAssignment]) -> Bool {
        assignments.contains { $0.experiment.isExactly(storedKey) } || isBlocked(by: assignments)
    }

    /// Whether the experiment is within its schedule.
    /// - Parameter time: The time; nil if it is not known.
    /// - Returns: Whether it is; false if it has a schedule and the time is not known.
    func isCurrent(at time: Instant?) -> Bool {
        experiment.targeting.schedule?.contains(time) ?? true
    }

    /// The result of an evaluation before any stored assignments are known.
    enum Entry {
        /// The final evaluation.
        case evaluation(Evaluation)
        /// The unit to look up or to hash.
        case unit(ExperimentUnit)
    }

    /// Evaluates the parts of the experiment that do not depend on stored assignments.
    /// - Parameters:
    ///   - forced: The variant that an override forces; a variant that the experiment does not have is ignored.
    ///   - condition: The condition of the service's code.
    ///   - context: The context.
    ///   - clock: Returns the time of the read.
    ///   - budget: The remaining budget of the read.
    ///   - meets: Returns whether a prerequisite holds.
    /// - Returns: The evaluation, or the unit on which it depends.
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

    /// The fallback unit, which is used if the context does not have ``Experiment/unit``.
    func fallback(in context: FeatureContext, _ budget: ReadBudget? = nil) -> ExperimentUnit? {
        guard isSticky, let name = experiment.fallbackUnit else { return nil }
        return context.unit(name, budget)
    }

    /// Whether the targeting applies only to units without a stored variant.
    var targetsUnstoredOnly: Bool { isSticky && experiment.keepsVariantOutsideTargeting }

    /// The reason why the targeting excludes a unit; nil if it does not.
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

    /// The variant that the hash selects for a unit.
    func drawn(_ unit: ExperimentUnit, unstored: Evaluation.Unstored? = nil) -> Evaluation {
        guard let index = experiment.variantIndex(for: unit.id), index < variants.count else {
            return Evaluation(.notCovered, of: unit)
        }
        return given(variants[index], .assigned, of: unit, unstored: unstored)
    }

    /// The new variant of a unit whose stored variant was removed, selected by the shares of the others. The original
    /// hash cannot be used: all units of the removed variant would get its neighbours.
    func redrawn(_ unit: ExperimentUnit, from removed: String, _ unstored: Evaluation.Unstored) -> Evaluation {
        let seed = experiment.seed(from: removed)
        let fraction = Bucketing.fraction(of: unit.id, seed: seed, version: .v2)
        guard let index = Bucketing.variantIndex(fraction, in: experiment.rangesOfFormer) else {
            return Evaluation(.notCovered, of: unit)
        }
        return given(variants[index], .assigned, of: unit, unstored: unstored)
    }

    /// The evaluation of a unit with a stored or newly selected variant.
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
            // GrowthBook's rules of several features share an experiment. Values and targeting belong to each rule, and
            // the rest selects the variant.
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
