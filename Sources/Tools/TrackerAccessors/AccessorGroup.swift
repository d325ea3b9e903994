import TrackerFeatureModel

/// The generated struct of one feature.
struct AccessorGroup {
    /// A variable's property.
    struct Property {
        /// The property's name, without backticks.
        let name: String
        let variable: VariableDefinition

        /// The names of the property and of its storage.
        var takenNames: [String] { [name, "_\(name)"] }
    }

    /// The name of the property for whether the feature is enabled.
    static let flag = "isEnabled"

    /// The name of the property of the struct, without backticks.
    let name: String

    /// The struct's name.
    let typeName: String

    let feature: FeatureDefinition

    /// The properties of the variables, in the order of the file.
    let properties: [Property]

    /// Returns a name for another property of the struct that no variable's property uses.
    func freeName(_ name: String) -> String {
        let isTaken = properties.contains { $0.takenNames.contains(name) }
        return isTaken ? freeName(name + "Source") : name
    }
}
