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
