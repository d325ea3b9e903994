/// The result of an experiment for a context.
package struct VariantDecision: Sendable {
    /// The assignment to store if the evaluation is recorded.
    struct Unstored: Sendable {
        /// The time when the unit was given the variant, in milliseconds since 1970.
        let date: Int64
        /// The stored variant that this one replaces.
        let replaced: String?
    }

    /// The variant; nil if the unit gets none.
    package let variant: CompiledVariant?

    /// The reason.
    package let reason: NamedCode<ExperimentAssignment>

    /// The unit that was looked up or hashed; nil if the evaluation ended before. It is the experiment's
    /// ``Experiment/fallbackUnit`` if the context does not have its unit.
    package let unit: ExperimentUnit?

    /// Whether the variant is stored.
    package let isSticky: Bool

    /// nil if there is nothing to store.
    let unstored: Unstored?

    init(
        _ reason: NamedCode<ExperimentAssignment>, _ variant: CompiledVariant? = nil, of unit: ExperimentUnit? = nil,
        isSticky: Bool = false, unstored: Unstored? = nil
    ) {
        self.variant = variant
        self.reason = reason
        self.unit = unit
        self.isSticky = isSticky
        self.unstored = unstored
    }
}
