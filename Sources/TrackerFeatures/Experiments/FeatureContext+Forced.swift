extension FeatureContext {
    /// The variant that the context's own overrides force; nil if they force none that the experiment has.
    func forced(_ experiment: CompiledExperiment) -> String? {
        guard hasOverrides, let name = overrides?.variant(of: experiment.id) else { return nil }
        return experiment.variant(name)?.name
    }
}
