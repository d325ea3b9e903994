import TrackerJSON

/// Swift literals of values.
enum SwiftLiteral {
    /// The literal of a value for a type, on one line.
    static func text(of value: JSONValue, as type: AccessorType) -> String {
        let elementType = if case .list(let type) = type { type } else { AccessorType.any }
        return switch value {
        case .null: "nil"
        case .bool(let value): "\(value)"
        case .int(let value): type == .double ? number(Double(value)) : "\(value)"
        case .double(let value): number(value)
        case .string(let value): quoted(value)
        case .array(let values): "[\(values.map { text(of: $0, as: elementType) }.joined(separator: ", "))]"
        case .object(let object) where object.isEmpty: "[:]"
        case .object(let object):
            "[\(object.members.map { "\(quoted($0.name)): \(text(of: $0.value, as: .any))" }.joined(separator: ", "))]"
        }
    }

    /// The literal of a number; hexadecimal if the compiler would warn that a decimal literal loses precision.
    private static func number(_ value: Double) -> String {
        guard value.isSubnormal else { return "\(value)" }
        return "\(value < 0 ? "-" : "")0x\(String(value.significandBitPattern, radix: 16))p-1074"
    }

    /// The literal of a string, without interpolation and invisible characters.
    static func quoted(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            // A combining mark would combine with the quotation mark.
            case _ where literal == "\"" && scalar.properties.generalCategory == .nonspacingMark:
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal += String(scalar).printable
            }
        }
        return literal + "\""
    }
}
