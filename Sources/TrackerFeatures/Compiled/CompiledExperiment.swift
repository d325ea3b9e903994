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
    private let unavailableReason: NamedCode<ExperimentAssignment>?

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
        unavailableReason =
            !experiment.isEnabled
            ? .disabled : !isUsable ? .unusable : experiment.targeting.schedule != nil ? .scheduled : nil
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

    /// Decides the variant of a context.
    /// - Parameters:
    ///   - forced: The variant that an override forces; a variant that the experiment does not have is ignored.
    ///   - condition: The condition of the service's code.
    ///   - context: The context.
    ///   - clock: Returns the time of the read.
    ///   - budget: The remaining budget of the read.
    ///   - meets: Returns whether a prerequisite holds.
    ///   - decideUnit: Decides the variant of a unit that takes part, if nothing else decides.
    /// - Returns: The variant, nil if there is none, and the reason.
    func decision(
        forced: String?, condition: (@Sendable (FeatureContext) -> Bool)?, _ context: FeatureContext,
        _ clock: () -> Instant?, _ budget: ReadBudget, _ meets: (Prerequisite) -> Bool,
        decideUnit: (ExperimentUnit) -> VariantDecision
    ) -> VariantDecision {
        guard budget.spend(0) else { return VariantDecision(.refused) }
        if let forced, let variant = variant(forced) { return VariantDecision(.forced, variant) }
        if let unavailableReason, unavailableReason != .scheduled || !isCurrent(at: budget.time(clock)) {
            return VariantDecision(unavailableReason)
        }
        if let condition, !condition(context) { return VariantDecision(.condition) }
        guard audience.includes(context) else { return VariantDecision(.filtered) }
        guard let unit = context.unit(experiment.unit, budget) ?? fallback(in: context, budget) else {
            let isTooLong = context.hasLongID(of: experiment.unit)
            return VariantDecision(isTooLong ? .refused : .noUnit)
        }
        if !targetsUnstoredOnly, let reason = exclusion(of: unit, context, budget, meets) {
            return VariantDecision(reason, of: unit)
        }
        return decideUnit(unit)
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
    func drawn(_ unit: ExperimentUnit, unstored: VariantDecision.Unstored? = nil) -> VariantDecision {
        guard let index = experiment.variantIndex(for: unit.id), index < variants.count else {
            return VariantDecision(.notCovered, of: unit)
        }
        return decision(variants[index], .assigned, of: unit, unstored: unstored)
    }

    /// The new variant of a unit whose stored variant was removed, selected by the shares of the others. The original
    /// hash cannot be used: all units of the removed variant would get its neighbours.
    func redrawn(_ unit: ExperimentUnit, from removed: String, _ unstored: VariantDecision.Unstored) -> VariantDecision
    {
        let seed = experiment.seed(from: removed)
        let fraction = Bucketing.fraction(of: unit.id, seed: seed, version: .v2)
        guard let index = Bucketing.variantIndex(fraction, in: experiment.rangesOfFormer) else {
            return VariantDecision(.notCovered, of: unit)
        }
        return decision(variants[index], .assigned, of: unit, unstored: unstored)
    }

    /// The decision for a unit with a stored or newly selected variant.
    func decision(
        _ variant: CompiledVariant, _ reason: NamedCode<ExperimentAssignment>, of unit: ExperimentUnit,
        unstored: VariantDecision.Unstored?
    ) -> VariantDecision {
        if let forced { return VariantDecision(.forced, forced, of: unit) }
        return VariantDecision(reason, variant, of: unit, isSticky: reason == .sticky, unstored: unstored)
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

/// A variant of an experiment in use.
///
/// A class, because a variant is too large to copy.
package final class CompiledVariant: Sendable {
    package let variant: ExperimentVariant
    /// The name.
    package let name: String
    /// The source of its values.
    let source: FeatureSource
    /// The values, created once, because each assignment returns them.
    let values: [String: JSONObject]

    init(_ variant: ExperimentVariant, of experiment: String) {
        self.variant = variant
        name = variant.name
        values = variant.values
        source = .experiment(id: experiment, variant: variant.name)
    }
}
