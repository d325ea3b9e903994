import TrackerFeatureModel

/// A property of generated accessors.
struct Accessor {
    /// What the property gives.
    enum Content {
        /// A variable's value.
        case variable(VariableDefinition)
        /// Whether the feature is on, with what the file says of it.
        case isEnabled(Bool)
    }

    /// The property's name, without backticks.
    let name: String

    let feature: String
    let content: Content

    /// The names that Swift gives to the property and to what it is kept in.
    var takenNames: [String] {
        switch content {
        case .variable: [name, "_\(name)"]
        case .isEnabled: [name]
        }
    }

    /// The variable's name; nil where the property tells whether the feature is on.
    var variable: String? {
        guard case .variable(let definition) = content else { return nil }
        return definition.name
    }
}
