/// What one provider says of all features, to be looked up by name.
package struct FeatureTable: Sendable {
    /// What is said of a variable.
    package struct Content: Sendable, Hashable {
        package let value: JSONValue
        package let isEncrypted: Bool
    }

    /// What was said, in its order.
    let definitions: [FeatureDefinition]

    /// Whether features are on, of those where something is said of it.
    package private(set) var enabled: [ExactText: Bool] = [:]

    /// What is said of variables.
    private(set) var contents: [VariableKey: Content] = [:]

    private var places: [ExactText: Int] = [:]

    /// Indexes definitions; of two with one name the later counts. A null is as if it were not there.
    init(_ definitions: [FeatureDefinition] = []) {
        self.definitions = definitions
        contents.reserveCapacity(definitions.reduce(0) { $0 + $1.variables.count })
        for (place, feature) in definitions.enumerated() { places[exactly: feature.name] = place }
        for (place, feature) in definitions.enumerated() where places[exactly: feature.name] == place {
            if let isEnabled = feature.isEnabled { enabled[exactly: feature.name] = isEnabled }
            for variable in feature.variables where variable.value != .null {
                contents[VariableKey(feature.name, variable.name)] = Content(
                    value: variable.value, isEncrypted: variable.isEncrypted)
            }
        }
    }

    var isEmpty: Bool { definitions.isEmpty }

    package func definition(_ feature: String) -> FeatureDefinition? {
        places[exactly: feature].map { definitions[$0] }
    }

    package func content(_ key: VariableKey) -> Content? {
        contents.isEmpty ? nil : contents[key]
    }
}
