extension Experiments {
    /// Returns the variant of an experiment for a context. It never waits for a network.
    ///
    /// When a unit gets a variant for the first time, an exposure is recorded if ``ExperimentOptions`` enable that. If
    /// the store of a sticky experiment cannot answer at once, because it is shared or another process has locked its
    /// file, the variant is the default with the reason `notLoaded`, and the unit is loaded in the background; see
    /// ``prepare(for:)``.
    /// - Parameters:
    ///   - id: The experiment's id.
    ///   - name: The variant if the experiment gives none; any string.
    ///   - context: The units, country and language of the evaluation; nil, the default, uses those of
    ///     ``TrackingContext/current``; if there are none, there is no unit.
    ///   - recordsExposure: Whether the unit takes part; true by default. If false, the result is the same, but no
    ///     exposure is recorded and no assignment is stored.
    /// - Returns: The variant with the values that it overrides, and the reason.
    public func variant(
        of id: String, default name: String, for context: FeatureContext? = nil, recordsExposure: Bool = true
    ) -> ExperimentAssignment {
        let decision = Evaluator.open(features, self, features.layers, for: context, records: recordsExposure) {
            $0.recordedDecision(of: id)
        }
        return ExperimentAssignment(
            experiment: id, variant: decision.variant?.name ?? name, values: decision.variant?.values ?? [:],
            reason: decision.reason, isSticky: decision.isSticky)
    }
}
