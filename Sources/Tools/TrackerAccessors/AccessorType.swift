package import TrackerJSON

/// The Swift type of a variable's property, derived from the variable's value.
package indirect enum AccessorType: Equatable {
    case bool
    case int
    case double
    case string
    /// A list of values of one type.
    case list(AccessorType)
    /// Any JSON value.
    case any
    case object

    package init(_ value: JSONValue) {
        switch value {
        case .null: self = .any
        case .bool: self = .bool
        case .int: self = .int
        case .double: self = .double
        case .string: self = .string
        case .object: self = .object
        case .array(let elements): self = .list(Self.common(elements.map(AccessorType.init)))
        }
    }

    /// The common type of all elements of a list.
    private static func common(_ types: [AccessorType]) -> AccessorType {
        guard let first = types.first else { return .any }
        switch first {
        case .bool, .int, .string, .double:
            if types.allSatisfy({ $0 == first }) { return first }
            return types.allSatisfy { $0 == .int || $0 == .double } ? .double : .any
        case .list, .any, .object: return .any
        }
    }

    /// The type's name in Swift.
    package var name: String {
        switch self {
        case .bool: "Bool"
        case .int: "Int"
        case .double: "Double"
        case .string: "String"
        case .list(let element): "[\(element.name)]"
        case .any: "JSONValue"
        case .object: "JSONObject"
        }
    }
}
