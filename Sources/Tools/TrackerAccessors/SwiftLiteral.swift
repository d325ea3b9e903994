import TrackerJSON

/// A value as a literal of Swift.
struct SwiftLiteral {
    /// The columns that a line may have.
    static let lineLength = 120

    private let value: JSONValue
    private let type: AccessorType

    /// Makes a literal.
    /// - Parameters:
    ///   - value: The value.
    ///   - type: The type that stands where the literal will.
    init(_ value: JSONValue, as type: AccessorType) {
        self.value = value
        self.type = type
    }

    /// The literal on one line.
    var line: String {
        switch value {
        case .null: "nil"
        case .bool(let value): "\(value)"
        case .int(let value): type == .double ? Self.number(Double(value)) : "\(value)"
        case .double(let value): Self.number(value)
        case .string(let value): Self.quoted(value)
        case .array(let elements): "[" + elements.map { element($0).line }.joined(separator: ", ") + "]"
        case .object(let object) where object.isEmpty: "[:]"
        case .object(let object):
            "[" + object.members.map { Self.key($0.name) + element($0.value).line }.joined(separator: ", ") + "]"
        }
    }

    /// The literal, on lines of their own for the elements of a list or an object that is too long for one.
    /// - Parameters:
    ///   - indentation: The columns before the line on which the literal begins.
    ///   - room: The columns that are left on that line.
    /// - Returns: The literal; its first line begins without the indentation.
    func text(indentation: Int, room: Int) -> String {
        let line = line
        guard line.count > room else { return line }
        let elements: [(key: String, literal: SwiftLiteral)]
        switch value {
        case .array(let values): elements = values.map { ("", element($0)) }
        case .object(let object): elements = object.members.map { (Self.key($0.name), element($0.value)) }
        case .null, .bool, .int, .double, .string: return line
        }
        let margin = String(repeating: " ", count: indentation)
        let lines = elements.map { element in
            let head = margin + "    " + element.key
            // A comma follows.
            let room = Self.lineLength - head.count - 1
            return head + element.literal.text(indentation: indentation + 4, room: room) + ",\n"
        }
        return "[\n" + lines.joined() + margin + "]"
    }

    private func element(_ value: JSONValue) -> SwiftLiteral {
        if case .list(let type) = type { SwiftLiteral(value, as: type) } else { SwiftLiteral(value, as: .any) }
    }

    private static func key(_ name: String) -> String {
        quoted(name) + ": "
    }

    /// A number; a hexadecimal one where the compiler would complain that decimals lose precision.
    private static func number(_ value: Double) -> String {
        guard value.isSubnormal else { return "\(value)" }
        return "\(value < 0 ? "-" : "")0x\(String(value.significandBitPattern, radix: 16))p-1074"
    }

    /// A text as a literal, in which nothing is interpolated and no character hides.
    static func quoted(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            // A mark would stand on the quotation mark.
            case _ where literal == "\"" && scalar.properties.generalCategory == .nonspacingMark:
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal += String(scalar).printable
            }
        }
        return literal + "\""
    }
}
