/// The kind of a variable's value, as editors and errors name it.
package enum VariableKind: String {
    case boolean, integer, number, string, array, object

    /// The kind of a value; nil for null, which counts as missing.
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

    /// The kind in words, for messages.
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
    /// The kind of the value in words, for messages.
    package var kind: String {
        if case .array(let elements) = self, Set(elements.map(\.kind)).count > 1 { return "a list of mixed types" }
        if case .double(let number) = self, number.magnitude >= 0x1p63 { return "a number beyond 64 bits" }
        return VariableKind(self)?.words ?? "null"
    }
}
