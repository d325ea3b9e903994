/// One of the alternatives that an experiment compares.
public struct ExperimentVariant: Sendable, Hashable {
    /// The variant's name, unique within its experiment.
    public let name: String

    /// The variant's share of all units in relation to the others' weights, 0 or more; nil by default.
    ///
    /// Where no variant has a weight all are equal; where others have one, a variant without counts as 0.
    public let weight: Double?

    /// What the variant overrides, by feature and variable; nothing by default.
    public let values: [String: JSONObject]

    package init(name: String, weight: Double? = nil, values: [String: JSONObject] = [:]) {
        self.name = name
        self.weight = weight
        self.values = values
    }
}

extension ExperimentVariant {
    /// What the variant overrides, sorted by feature, with "…" in the place of some values.
    /// - Parameter isHidden: Whether a variable's value is left out.
    /// - Returns: The values that may be shown.
    func values(_ isHidden: (VariableKey) -> Bool) -> [(feature: String, values: JSONObject)] {
        values.sorted { $0.key < $1.key }.map { feature, values in
            let shown = values.members.map { name, value in
                (name: name, value: isHidden(VariableKey(feature, name)) ? JSONValue.hidden : value)
            }
            return (feature, JSONObject(unique: shown))
        }
    }
}
