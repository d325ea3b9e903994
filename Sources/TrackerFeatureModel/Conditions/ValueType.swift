/// The types of values in `$type`.
enum ValueType: String, Sendable, CaseIterable {
    case null, string, number, boolean, array, object

    func includes(_ value: JSONValue) -> Bool {
        switch value {
        case .null: self == .null
        case .bool: self == .boolean
        case .int, .double: self == .number
        case .string: self == .string
        case .array: self == .array
        case .object: self == .object
        }
    }
}
