extension FeatureReader {
    /// What was found of a variable.
    struct Finding: Sendable {
        let content: FeatureTable.Content
        let source: FeatureSource
        let decrypt: Decrypt?
    }

    /// What is in effect of a variable.
    func finding(_ key: VariableKey, in layers: FeatureLayers, for context: EvaluationContext?) -> Finding? {
        if let finding = first(key, in: layers.upper) { return finding }
        let below = first(key, in: layers.lower)
        guard let context else { return below }
        for experiment in layers.experiments.overriding(key) {
            // Also the unit whose variant leaves the variable as it is takes part, and is told of.
            let verdict = experiments.assignment(
                of: experiment, version: layers.experiments.version, forced: layers.forced(experiment.id),
                for: context, tells: true)
            if let finding = Self.finding(key, experiment, verdict, below) { return finding }
        }
        return below
    }

    /// All that is said of a variable, the highest in priority first; nobody is told that an experiment decided.
    func findings(_ key: VariableKey, in layers: FeatureLayers, for context: EvaluationContext?) -> [Finding] {
        let below = layers.lower.compactMap { Self.finding(key, in: $0) }
        var findings = layers.upper.compactMap { Self.finding(key, in: $0) }
        if let context {
            findings += layers.experiments.overriding(key).compactMap { experiment in
                let verdict = experiments.assignment(
                    of: experiment, version: layers.experiments.version, forced: layers.forced(experiment.id),
                    for: context, tells: false)
                return Self.finding(key, experiment, verdict, below.first)
            }
        }
        return findings + below
    }

    private func first(_ key: VariableKey, in layers: [FeatureLayers.Layer]) -> Finding? {
        for layer in layers {
            if let finding = Self.finding(key, in: layer) { return finding }
        }
        return nil
    }

    private static func finding(_ key: VariableKey, in layer: FeatureLayers.Layer) -> Finding? {
        layer.table.content(key).map { Finding(content: $0, source: layer.source, decrypt: layer.decrypt) }
    }

    /// What a variant says of a variable; nil where it leaves it as it is.
    private static func finding(
        _ key: VariableKey, _ experiment: PreparedExperiment, _ verdict: ExperimentVerdict, _ below: Finding?
    ) -> Finding? {
        guard let variant = verdict.variant, let value = variant.overrides[exactly: key.feature]?[key.variable],
            value != .null
        else { return nil }
        // A variant is in the same file, so what is a secret there is a secret here.
        let isEncrypted = below?.content.isEncrypted ?? false
        return Finding(
            content: FeatureTable.Content(value: value, isEncrypted: isEncrypted),
            source: .experiment(id: experiment.id, variant: variant.name), decrypt: below?.decrypt)
    }
}
