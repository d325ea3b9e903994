extension JSONValue {
    /// The name of the variable that holds the value of a GrowthBook feature.
    package static let growthBookVariable = "value"

    /// Whether JavaScript takes the value for true: all but null, false, 0 and the empty text.
    package var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .int(let value): value != 0
        case .double(let value): value != 0 && !value.isNaN
        case .string(let value): !value.isEmpty
        default: true
        }
    }

    /// The variables of a GrowthBook feature with this value: `value`, and the members of an object but one that is called
    /// `value`. A null is a variable without a value.
    var growthBookVariables: JSONObject {
        var variables: [JSONObject.Member] = [(Self.growthBookVariable, self)]
        if case .object(let object) = self {
            variables += object.members.filter { $0.name != Self.growthBookVariable && $0.value != .null }
        }
        return JSONObject(unique: variables)
    }

    /// Whether a member of the object cannot be a variable of its own.
    var hidesGrowthBookMember: Bool { self[Self.growthBookVariable] != nil }
}
