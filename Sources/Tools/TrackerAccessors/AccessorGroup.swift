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

    let feature: String

    /// What the file says of the feature; nil if it leaves open whether the feature is enabled.
    let isEnabled: Bool?

    /// The variables, in the order of the file.
    let properties: [Property]

    /// The name under which the struct keeps its features, for the flag.
    var storage: String { freeName("features") }

    /// The name under which the struct keeps its context, for the flag.
    var context: String { freeName("context") }

    private func freeName(_ name: String) -> String {
        let taken = Set(properties.flatMap(\.takenNames))
        var name = name
        while taken.contains(name) { name += "Source" }
        return name
    }
}
