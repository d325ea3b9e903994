/// What an experiment has for a context.
struct Evaluation: Sendable {
    /// Nil where the unit is given none.
    let variant: ExperimentVariant?
    let reason: ExperimentAssignment.Reason
    /// Whether the variant is stored.
    let isSticky: Bool

    init(_ reason: ExperimentAssignment.Reason, _ variant: ExperimentVariant? = nil, isSticky: Bool = false) {
        self.variant = variant
        self.reason = reason
        self.isSticky = isSticky
    }
}
