/// One of the alternatives that an experiment compares.
public struct ExperimentVariant: Sendable, Hashable {
    /// The variant's name, unique within its experiment.
    public let name: String

    /// The variant's share of all units in relation to the other weights, 0 or more; nil by default.
    ///
    /// If no variant has a weight, all are equal; if others have one, a variant without a weight counts as 0.
    public let weight: Double?

    /// The values that the variant overrides, by feature and variable; none by default. If the names of features differ
    /// only in Unicode normalization, only one is listed.
    public let values: [String: JSONObject]

    /// Whether features are enabled, by their names; none by default.
    public let enabled: [String: Bool]

    /// What the variant overrides, by the exact names of the features.
    package let overrides: [ExactText: JSONObject]

    /// Whether features are enabled, by their exact names.
    package let enabledFeatures: [ExactText: Bool]

    /// Whether a unit of this variant goes on to the next rule, as in GrowthBook's holdouts; false in documents.
    package let isPassthrough: Bool

    package init(
        name: String, weight: Double? = nil, overrides: [ExactText: JSONObject],
        enabledFeatures: [ExactText: Bool] = [:], isPassthrough: Bool = false
    ) {
        (self.name, self.weight, self.overrides) = (name, weight, overrides)
        (self.enabledFeatures, self.isPassthrough) = (enabledFeatures, isPassthrough)
        enabled = Self.byText(enabledFeatures)
        // Once, because each assignment hands it out.
        values = Self.byText(overrides)
    }

    private static func byText<Value>(_ values: [ExactText: Value]) -> [String: Value] {
        // Most variants have none, and most others have one.
        if values.isEmpty { return [:] }
        return Dictionary(values.lazy.map { ($0.key.text, $0.value) }) { first, _ in first }
    }

    /// Creates a variant.
    /// - Parameters:
    ///   - name: The variant's name.
    ///   - weight: The variant's share of all units in relation to the other weights.
    ///   - values: The values that the variant overrides, by feature and variable.
    ///   - enabled: Whether features are enabled, by their names; none by default.
    public init(
        name: String, weight: Double? = nil, values: [String: JSONObject] = [:], enabled: [String: Bool] = [:]
    ) {
        self.init(
            name: name, weight: weight,
            overrides: Dictionary(values.map { (ExactText($0.key), $0.value) }) { first, _ in first },
            enabledFeatures: Dictionary(enabled.map { (ExactText($0.key), $0.value) }) { first, _ in first })
    }
}

extension ExperimentVariant {
    /// What the variant overrides, sorted by feature, with "…" in the place of some values.
    /// - Parameter isHidden: Whether a variable's value is left out.
    /// - Returns: The values that may be shown.
    package func values(_ isHidden: (VariableKey) -> Bool) -> [(feature: String, values: JSONObject)] {
        overrides.sorted { $0.key < $1.key }.map { feature, values in
            let shown = values.members.map { name, value in
                (name: name, value: isHidden(VariableKey(feature.text, name)) ? JSONValue.hidden : value)
            }
            return (feature.text, JSONObject(unique: shown))
        }
    }
}
