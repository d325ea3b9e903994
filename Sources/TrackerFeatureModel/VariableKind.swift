/// What kind of value a variable has, as an editor and an error name it.
package enum VariableKind: String {
    case boolean, integer, number, string, array, object

    /// The kind of a value; nil for null, which is as if there were none.
    package init?(_ value: JSONValue) {
        switch value {
        case .null: return nil
        case .bool: self = .boolean
        case .int: self = .integer
        case .double: self = .number
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }

    /// The kind for people.
    package var words: String {
        switch self {
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// Whether a variable of this kind can be read from a value of another.
    package func takes(_ other: VariableKind) -> Bool { self == other || (self == .number && other == .integer) }
}

extension JSONValue {
    /// What kind of value it is, for people.
    package var kind: String {
        if case .array(let elements) = self, Set(elements.map(\.kind)).count > 1 { return "a list of mixed types" }
        if case .double(let number) = self, number.magnitude >= 0x1p63 { return "a number beyond 64 bits" }
        return VariableKind(self)?.words ?? "null"
    }
}
