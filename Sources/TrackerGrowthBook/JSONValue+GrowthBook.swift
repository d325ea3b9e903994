import TrackerFeatures

extension JSONValue {
    /// The name of the variable that holds the value of a GrowthBook feature.
    package static let growthBookVariable = "value"

    /// The variables of a GrowthBook feature with this value: `value`, and the members of an object except one with the
    /// name `value`. A null is a variable without a value.
    var growthBookVariables: JSONObject {
        var variables: [JSONObject.Member] = [(Self.growthBookVariable, self)]
        if case .object(let object) = self {
            variables += object.members.filter { $0.name != Self.growthBookVariable && $0.value != .null }
        }
        return JSONObject(unique: variables)
    }
}
