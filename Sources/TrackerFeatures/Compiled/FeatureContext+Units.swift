extension FeatureContext {
    /// Returns the unit with a name: its id is that of ``units``, or else an attribute with that name that is a string
    /// or a number.
    /// - Parameters:
    ///   - name: The unit's name.
    ///   - budget: The budget of the read, which notes an id that is too long; nil by default.
    /// - Returns: The unit; nil if the id is missing or empty, or longer than ``ReadBudget/maximumUnitLength``.
    package func unit(_ name: String, _ budget: ReadBudget? = nil) -> ExperimentUnit? {
        guard let id = id(of: name), !id.isEmpty else { return nil }
        guard id.utf8.count <= ReadBudget.maximumUnitLength else {
            budget?.refuse(.unitTooLong(name: name, length: id.utf8.count))
            return nil
        }
        return ExperimentUnit(name: name, id: id)
    }

    /// Whether a unit has an id that is too long to be used.
    func hasLongID(of name: String) -> Bool {
        id(of: name).map { $0.utf8.count > ReadBudget.maximumUnitLength } ?? false
    }

    /// The value that a condition sees under a name, for a read, which takes the steps to look through the attributes; nil
    /// if there are none left.
    func attribute(_ name: String, _ budget: ReadBudget) -> JSONValue? {
        budget.spend(attributeCount >> 3) ? attribute(name) : nil
    }
}
