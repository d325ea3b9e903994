extension FeatureContext {
    /// The value that a condition sees under a name: an attribute, else a unit's id, else `country` or `language`.
    package func attribute(_ name: String) -> JSONValue? {
        if let value = attributes[name] { return value }
        if let id = units[name] { return .string(id) }
        if name.isExactly("country") { return country.map(JSONValue.string) }
        if name.isExactly("language") { return language.map(JSONValue.string) }
        return nil
    }

    /// The same for a read, which takes the steps to look through the attributes; nil if there are none left.
    func attribute(_ name: String, _ budget: ReadBudget) -> JSONValue? {
        budget.spend(attributes.count >> 3) ? attribute(name) : nil
    }
}
