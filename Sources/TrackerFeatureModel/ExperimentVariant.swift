/// One of the alternatives that an experiment compares.
package struct ExperimentVariant: Sendable, Hashable {
    /// The variant's name, unique within its experiment.
    package let name: String

    /// The variant's share of all units in relation to the other weights, 0 or more; nil by default.
    ///
    /// If no variant has a weight, all are equal; if others have one, a variant without a weight counts as 0.
    package var weight: Double?

    /// The values that the variant overrides, by the exact names of the features.
    package var overrides: [ExactText: JSONObject]

    /// Whether features are enabled, by their exact names.
    package var enabledFeatures: [ExactText: Bool]

    /// Whether a unit of this variant continues with the next rule, as in GrowthBook's holdouts; false by default.
    package var isPassthrough: Bool

    package init(
        name: String, weight: Double? = nil, overrides: [ExactText: JSONObject],
        enabledFeatures: [ExactText: Bool] = [:], isPassthrough: Bool = false
    ) {
        (self.name, self.weight, self.overrides) = (name, weight, overrides)
        (self.enabledFeatures, self.isPassthrough) = (enabledFeatures, isPassthrough)
    }

    /// Creates a variant.
    /// - Parameters:
    ///   - name: The variant's name.
    ///   - weight: The variant's share of all units in relation to the other weights.
    ///   - values: The values that the variant overrides, by feature and variable; none by default.
    package init(name: String, weight: Double? = nil, values: [String: JSONObject] = [:]) {
        self.init(
            name: name, weight: weight,
            overrides: Dictionary(values.map { (ExactText($0.key), $0.value) }) { first, _ in first })
    }

    /// The values that the variant overrides, by feature and variable; none by default. If the names of features differ
    /// only in Unicode normalization, only one is listed.
    package var values: [String: JSONObject] {
        Dictionary(overrides.map { ($0.key.text, $0.value) }) { first, _ in first }
    }
}

extension ExperimentVariant {
    /// The values that the variant overrides, sorted by feature, with "…" in place of hidden values.
    /// - Parameter isHidden: Whether a variable's value is hidden.
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
