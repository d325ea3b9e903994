extension FeatureReader {
    /// A variable's value in effect. Records an exposure if an experiment decides it.
    /// - Returns: nil if no source has the variable.
    func candidate(_ key: VariableKey, in layers: FeatureLayers, for context: FeatureContext?) -> Candidate? {
        let candidate = layers.candidate(key)
        guard let context, candidate.map({ $0.rank < .experiments }) ?? true else { return candidate }
        for experiment in layers.experiments.overriding(key) {
            // A unit whose variant leaves the variable as it is takes part as well: its exposure is recorded.
            if let given = self.candidate(
                key, of: experiment, over: candidate, in: layers, for: context, recordsExposure: true)
            {
                return given
            }
        }
        return candidate
    }

    /// All values of a variable, the highest in precedence first. Records no exposure.
    func candidates(_ key: VariableKey, in layers: FeatureLayers, for context: FeatureContext?) -> [Candidate] {
        let candidates = layers.candidates(key)
        guard let context else { return candidates }
        let above = candidates.prefix { $0.rank > .experiments }
        let below = candidates.dropFirst(above.count)
        let given = layers.experiments.overriding(key).compactMap { experiment in
            candidate(key, of: experiment, over: below.first, in: layers, for: context, recordsExposure: false)
        }
        return above + given + below
    }

    /// The value that an experiment gives a variable; nil if it leaves the variable as it is.
    private func candidate(
        _ key: VariableKey, of experiment: CompiledExperiment, over below: Candidate?, in layers: FeatureLayers,
        for context: FeatureContext, recordsExposure: Bool
    ) -> Candidate? {
        let evaluation = experiments.assignment(
            of: experiment, version: layers.experiments.version, forced: layers.forced(experiment.id), for: context,
            recordsExposure: recordsExposure)
        guard let variant = evaluation.variant, let value = variant.overrides[exactly: key.feature]?[key.variable],
            value != .null
        else { return nil }
        // A variant is in the same document as the variable, so a secret there is a secret here.
        let content = VariableContent(value: value, isEncrypted: below?.content.isEncrypted ?? false)
        return Candidate(
            content: content, source: .experiment(id: experiment.id, variant: variant.name), rank: .experiments,
            decrypt: below?.decrypt)
    }
}
