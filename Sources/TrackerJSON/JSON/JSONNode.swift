/// A JSON value with its place in the text.
package struct JSONNode: Sendable {
    /// The kinds of value.
    package enum Content: Sendable {
        case null
        case bool(Bool)
        /// A number without fraction or exponent that fits into 64 bits.
        case integer(Int)
        /// Any other number.
        case number(Double)
        case string(String)
        case array([JSONNode])
        /// The members in the order of the text, each name once.
        case object([Member])
    }

    /// A member of an object.
    package struct Member: Sendable {
        package let name: String
        /// The offset of the name, in bytes from the start of the text.
        package let nameOffset: Int
        package let value: JSONNode

        /// Whether the value is null.
        package var isNull: Bool { value.isNull }
    }

    package let content: Content

    /// The offset of the value, in bytes from the start of the text.
    package let offset: Int

    /// Whether the value is null.
    package var isNull: Bool {
        if case .null = content { true } else { false }
    }

    /// The string; nil if the value is not a string.
    package var string: String? {
        if case .string(let value) = content { value } else { nil }
    }

    /// The boolean; nil if the value is not a boolean.
    package var bool: Bool? {
        if case .bool(let value) = content { value } else { nil }
    }

    /// The members; nil if the value is not an object.
    package var members: [Member]? {
        if case .object(let members) = content { members } else { nil }
    }

    /// The integer; a number beyond 64 bits is clamped; nil if the value is not an integer.
    package var integer: Int? {
        switch content {
        case .integer(let value): value
        case .number(let value) where value.magnitude >= 0x1p63: value < 0 ? .min : .max
        default: nil
        }
    }

    /// The number; nil if the value is not a number.
    package var number: Double? {
        switch content {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The kind of value in the words of error messages: "a string", "null".
    package var kind: String {
        switch content {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// The value without offsets.
    package var value: JSONValue {
        switch content {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .int(value)
        case .number(let value): .double(value)
        case .string(let value): .string(value)
        case .array(let elements): .array(elements.map(\.value))
        case .object(let members): .object(JSONObject(unique: members.map { ($0.name, $0.value.value) }))
        }
    }
}

extension JSONNode {
    /// Creates a node for a value without a text.
    /// - Parameters:
    ///   - value: The value.
    ///   - offset: The offset of the value and of all values within.
    package init(_ value: JSONValue, offset: Int = 0) {
        self.offset = offset
        content =
            switch value {
            case .null: .null
            case .bool(let value): .bool(value)
            case .int(let value): .integer(value)
            case .double(let value): .number(value)
            case .string(let value): .string(value)
            case .array(let elements): .array(elements.map { JSONNode($0, offset: offset) })
            case .object(let object):
                .object(
                    object.members.map {
                        Member(name: $0.name, nameOffset: offset, value: JSONNode($0.value, offset: offset))
                    })
            }
    }
}

extension [JSONNode.Member] {
    /// The value of a member; nil if no member has the name.
    package subscript(name: String) -> JSONNode? { place(of: name).map { self[$0].value } }

    /// The index of a member; nil if no member has the name.
    package func place(of name: String) -> Int? {
        // Buffer access avoids copies of the elements and their reference counting.
        withUnsafeBufferPointer { members in
            for index in members.indices where members[index].name.isExactly(name) { return index }
            return nil
        }
    }
}
