extension FeatureContext {
    /// Creates a context of a user alone.
    /// - Parameter userID: The id of the unit `userId`.
    public init(userID: String) {
        self.init(units: ["userId": userID])
    }

    /// The unit of a name, nil where its id is missing or empty.
    func unit(_ name: String) -> ExperimentUnit? {
        guard let id = units[name], !id.isEmpty else { return nil }
        return ExperimentUnit(name: name, id: id)
    }
}
