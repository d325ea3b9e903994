extension FeatureContext {
    /// The unit of a name, nil where its id is missing or empty.
    func unit(_ name: String) -> ExperimentUnit? {
        guard let id = units[name], !id.isEmpty else { return nil }
        return ExperimentUnit(name: name, id: id)
    }
}
