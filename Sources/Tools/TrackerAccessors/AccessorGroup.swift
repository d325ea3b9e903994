import TrackerFeatureModel

/// The generated struct of one feature.
struct AccessorGroup {
    /// A variable's property.
    struct Property {
        /// The property's name, without backticks.
        let name: String
        let variable: VariableDefinition

        /// The names that Swift gives to the property and to what it is kept in.
        var takenNames: [String] { [name, "_\(name)"] }
    }

    /// The name of the property that is true if the feature is enabled.
    static let flag = "isEnabled"

    /// The name of the property that has the struct, without backticks.
    let name: String

    /// The struct's name.
    let typeName: String

    let feature: FeatureDefinition

    /// The properties of the variables, in the order of the file.
    let properties: [Property]

    /// A name for a property of the struct's own, which no variable's property has.
    func freeName(_ name: String) -> String {
        let isTaken = properties.contains { $0.takenNames.contains(name) }
        return isTaken ? freeName(name + "Source") : name
    }
}
