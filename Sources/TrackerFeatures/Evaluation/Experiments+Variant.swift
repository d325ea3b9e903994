extension Experiments {
    /// Returns the variant of an experiment for a context. Never waits for a network.
    ///
    /// The first time that a unit is given a variant, an exposure is recorded if ``ExperimentOptions`` enable that. If
    /// the store of a sticky experiment has to be waited for, because it is shared or another process has locked its file, the
    /// variant is the default with the reason `notLoaded`, and the unit is loaded in the background; see ``prepare(for:)``.
    /// - Parameters:
    ///   - id: The experiment's id.
    ///   - name: The variant if the experiment gives none; any text.
    ///   - context: The units, country and language to evaluate for; nil, the default, takes those of
    ///     ``TrackingContext/current``; without any there is no unit.
    ///   - recordsExposure: Whether the unit takes part; true by default. If false, the result is the same, but no exposure
    ///     is recorded and no assignment is stored.
    /// - Returns: The variant with the values that it overrides, and the reason.
    public func variant(
        of id: String, default name: String, for context: FeatureContext? = nil, recordsExposure: Bool = true
    ) -> ExperimentAssignment {
        let evaluation = Evaluator.open(features, self, features.layers, for: context, records: recordsExposure) {
            $0.evaluation(of: id)
        }
        return ExperimentAssignment(
            experiment: id, variant: evaluation.variant?.name ?? name, values: evaluation.variant?.values ?? [:],
            reason: evaluation.reason, isSticky: evaluation.isSticky)
    }
}
