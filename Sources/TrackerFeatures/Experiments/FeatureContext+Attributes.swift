extension FeatureContext {
    /// The value that a condition sees under a name, for a read, which takes the steps to look through the attributes; nil
    /// if there are none left.
    func attribute(_ name: String, _ budget: ReadBudget) -> JSONValue? {
        budget.spend(attributeCount >> 3) ? attribute(name) : nil
    }
}
