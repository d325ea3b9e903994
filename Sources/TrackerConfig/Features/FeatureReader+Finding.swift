extension FeatureReader {
    /// What was found of a variable.
    struct Finding: Sendable {
        let content: FeatureTable.Content
        let source: FeatureSource
        let decrypt: Decrypt?

        init?(_ key: VariableKey, in layer: FeatureLayers.Layer) {
            guard let content = layer.table.content(key) else { return nil }
            (self.content, source, decrypt) = (content, layer.source, layer.decrypt)
        }
    }

    /// What is in effect of a variable.
    func finding(_ key: VariableKey, in layers: FeatureLayers, for context: EvaluationContext?) -> Finding? {
        for layer in layers.upper {
            if let finding = Finding(key, in: layer) { return finding }
        }
        for layer in layers.lower {
            if let finding = Finding(key, in: layer) { return finding }
        }
        return nil
    }

    /// All that is said of a variable, the highest in priority first; nobody is told that an experiment decided.
    func findings(_ key: VariableKey, in layers: FeatureLayers, for context: EvaluationContext?) -> [Finding] {
        layers.upper.compactMap { Finding(key, in: $0) } + layers.lower.compactMap { Finding(key, in: $0) }
    }
}
