/// A JSON value with the place where it stands in its text.
package struct JSONNode: Sendable {
    /// What the value is.
    package enum Content: Sendable {
        case null
        case bool(Bool)
        /// A number without fraction or exponent; one outside 64 bits is held at the nearer end.
        case integer(Int, saturated: Bool)
        case number(Double)
        case string(String)
        case array([JSONNode])
        case object([Member])
    }

    /// A member of an object.
    package struct Member: Sendable {
        package let name: String
        package let nameOffset: Int
        package let value: JSONNode

        package init(name: String, nameOffset: Int, value: JSONNode) {
            self.name = name
            self.nameOffset = nameOffset
            self.value = value
        }
    }

    package let content: Content

    /// Where the value begins, in bytes from the start of the text.
    package let offset: Int

    package init(content: Content, offset: Int) {
        self.content = content
        self.offset = offset
    }

    /// What the value is, as an error names it: "a string", "null".
    package var kind: String {
        switch content {
        case .null: "null"
        case .bool: "a boolean"
        case .integer: "a number"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// The value without its places. A number outside 64 bits becomes a floating-point one.
    package var value: JSONValue {
        switch content {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value, saturated: false): .int(value)
        case .integer(let value, saturated: true): .double(Double(value))
        case .number(let value): .double(value)
        case .string(let value): .string(value)
        case .array(let elements): .array(elements.map(\.value))
        case .object(let members): .object(JSONObject(unique: members.map { ($0.name, $0.value.value) }))
        }
    }
}
